extension StringProtocol {
    /// The text as one word of a shell command: in apostrophes if it has characters with a meaning in a shell, and with
    /// escape sequences, which bash knows, if it has characters that are not seen or move others.
    package var shellWord: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "/._-+=:,@%".utf8.contains(byte)
            }
        }
        guard isEmpty || !isPlain else { return String(self) }
        guard !unicodeScalars.contains(where: \.isUnseen) else { return escapedWord }
        return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    private var escapedWord: String {
        let pieces = unicodeScalars.map { scalar -> String in
            if scalar == "'" || scalar == "\\" { return "\\\(scalar)" }
            guard scalar.isUnseen else { return String(scalar) }
            return UTF8.encode(scalar).map { bytes in
                bytes.map { #"\x"# + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            } ?? ""
        }
        return "$'\(pieces.joined())'"
    }
}

extension Unicode.Scalar {
    fileprivate var isUnseen: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
