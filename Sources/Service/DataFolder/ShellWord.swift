extension StringProtocol {
    /// The text as one word of a shell command: in apostrophes if it has characters with a meaning in a shell.
    package var shellWord: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "/._-+=:,@%".utf8.contains(byte)
            }
        }
        guard isEmpty || !isPlain else { return String(self) }
        return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
