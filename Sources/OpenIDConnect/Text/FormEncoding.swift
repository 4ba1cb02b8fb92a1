import ASCII

/// `application/x-www-form-urlencoded`, as RFC 6749, B requires for parameters and client credentials.
enum FormEncoding {
    static func encode(_ text: String) -> String { String(decoding: encode(Array(text.utf8)), as: UTF8.self) }

    /// Every byte but `A-Z a-z 0-9 - . _ *` becomes `%XX`, and the space `+`.
    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "*"): text.append(byte)
            case UInt8(ascii: " "): text.append(UInt8(ascii: "+"))
            case _ where byte.isNameCharacter: text.append(byte)
            default: text.append(percentEncoded: byte)
            }
        }
        return text
    }

    static func encode(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    /// - Returns: `nil` if it is not form-encoded UTF-8: a `%` without two hexadecimal digits, or a byte that must be
    ///   encoded.
    static func decode(_ text: some StringProtocol) -> String? {
        guard text.utf8.allSatisfy(\.isVisible) else { return nil }
        let spaced = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return PercentEncoding.decode(spaced).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
