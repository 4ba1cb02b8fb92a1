import ASCII

/// Values of the header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): strings in quotes (RFC 8941,
/// 3.3.3).
enum IdempotencyKey {
    private static let allowedLength = 1...255

    /// - Parameter name: the caller's name; `nil` makes a random one of 128 bits.
    /// - Returns: the header's value.
    static func header(_ name: String?) throws(ConsentLinkError) -> String {
        guard let name else { return "\"\(random())\"" }
        guard allowedLength.contains(name.utf8.count), name.utf8.allSatisfy(\.isPrintable) else {
            throw .invalidArgument("an Idempotency-Key is 1 to 255 printable characters of ASCII")
        }
        var value = "\""
        for character in name {
            if character == "\"" || character == "\\" { value.append("\\") }
            value.append(character)
        }
        return value + "\""
    }

    private static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let words = (0..<2).map { _ in String(generator.next() as UInt64, radix: 16) }
        return words.map { String(repeating: "0", count: 16 - $0.count) + $0 }.joined()
    }
}
