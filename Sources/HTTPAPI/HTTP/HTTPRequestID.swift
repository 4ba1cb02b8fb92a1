import ASCII
import HTTPTypes

/// Names one request in its answer and in the lines of the log that it caused.
///
/// 128 bits in hexadecimal. A client's own id is used if it has the form of a random id: 32 hexadecimal digits (nginx's
/// `$request_id`, W3C trace ids), or the same with the hyphens of a UUID (RFC 9562). Any other text is ignored: it
/// could name a person, and would be written to the log.
struct HTTPRequestID: Hashable, Sendable, CustomStringConvertible {
    /// The positions of the hyphens of a UUID.
    private static let hyphens = [8, 13, 18, 23]

    let description: String

    /// A new random id.
    init() {
        var generator = SystemRandomNumberGenerator()
        self.init(drawnFrom: &generator)
    }

    init(drawnFrom generator: inout some RandomNumberGenerator) {
        var text: [UInt8] = []
        text.reserveCapacity(32)
        for var half in [generator.next(), generator.next()] as [UInt64] {
            for _ in 0..<16 {
                text.append(UInt8(half >> 60).lowerCaseHexDigit)
                half <<= 4
            }
        }
        description = String(decoding: text, as: UTF8.self)
    }

    /// `nil` if the text does not have the form above.
    init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count == 32 || bytes.count == 36 else { return nil }
        let isUUID = bytes.count == 36
        for (place, byte) in bytes.enumerated() {
            let isHyphen = isUUID && Self.hyphens.contains(place)
            guard isHyphen ? byte == UInt8(ascii: "-") : byte.isHexDigit else { return nil }
        }
        description = text
    }

    /// The id that a client gave its request; `nil` if it gave none, more than one, or one of another form.
    init?(of headers: HTTPFields) {
        let values = headers[values: .requestID]
        guard values.count == 1, let id = HTTPRequestID(values[0]) else { return nil }
        self = id
    }
}

extension HTTPField.Name {
    static var requestID: HTTPField.Name { .known("X-Request-Id") }
}
