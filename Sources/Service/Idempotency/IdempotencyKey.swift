import HTTPTypes
import Hummingbird

/// The header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a string in quotes (RFC 8941, 3.3.3).
struct IdempotencyKey: Equatable {
    static let allowedLength = 1...255

    /// Without the quotes and escapes.
    let bytes: [UInt8]

    /// - Returns: `nil` for what is no such string, or has another length.
    init?(_ header: String) {
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

extension Request {
    /// The key that the client gave the request; `nil` when it gave none.
    var idempotencyKey: IdempotencyKey? {
        get throws {
            let values = headers[values: .idempotencyKey]
            guard let value = values.first else { return nil }
            guard values.count == 1, let key = IdempotencyKey(value) else {
                let length = IdempotencyKey.allowedLength
                throw Problem(
                    .unprocessableContent,
                    """
                    The header Idempotency-Key must be one string in quotes, of \(length.lowerBound) to \
                    \(length.upperBound) bytes of printable ASCII.
                    """)
            }
            return key
        }
    }
}

extension HTTPField.Name {
    fileprivate static var idempotencyKey: HTTPField.Name {
        guard let name = HTTPField.Name("Idempotency-Key") else { preconditionFailure("a token (RFC 9110, 5.6.2)") }
        return name
    }
}
