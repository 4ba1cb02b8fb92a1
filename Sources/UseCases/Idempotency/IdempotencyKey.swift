/// The value of the header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a string in quotes (RFC 8941,
/// 3.3.3).
package struct IdempotencyKey: Equatable, Sendable {
    /// In bytes.
    package static let allowedLength = 1...255

    /// Without the quotes and escapes.
    package let bytes: [UInt8]

    /// - Returns: `nil` if the header is not such a string, or has another length.
    package init?(_ header: String) {
        let quote = UInt8(ascii: "\"")
        var rest = Array(header.utf8)[...]
        while rest.last == UInt8(ascii: " ") { rest.removeLast() }
        guard rest.popFirst() == quote, rest.popLast() == quote else { return nil }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst(), escaped == quote || escaped == byte else { return nil }
                bytes.append(escaped)
            case quote: return nil
            case 0x20...0x7E: bytes.append(byte)
            default: return nil
            }
        }
        guard Self.allowedLength.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }
}
