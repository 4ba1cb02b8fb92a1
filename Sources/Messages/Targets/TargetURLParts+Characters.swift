import ASCII

extension TargetURLParts {
    /// Checks the rules for all characters in any place.
    ///
    /// Browsers drop tabs and line ends inside a URL and read `\` as `/`. With any of these, a browser could read
    /// another host than the code that compares the host.
    static func checkCharacters(of bytes: [UInt8]) throws(TargetURLError) {
        for (position, byte) in bytes.enumerated() {
            switch byte {
            case 0x20: throw .whiteSpace
            case 0x00..<0x20, 0x7F: throw .controlCharacter
            case 0x80...: throw .notASCII
            case UInt8(ascii: "\\"): throw .backslash
            case UInt8(ascii: "%"):
                let digits = bytes[(position + 1)...].prefix(2)
                guard digits.count == 2, digits.allSatisfy(\.isHexDigit) else { throw .badPercentEncoding }
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "}"),
                UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "`"):
                throw .forbiddenCharacter
            default: continue
            }
        }
    }
}
