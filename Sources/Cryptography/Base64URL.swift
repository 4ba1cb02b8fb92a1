/// Base64 with the URL-safe alphabet and without padding (RFC 4648, 5), one text for one sequence of bytes.
///
/// Decoding refuses any text that encoding does not write: padding, another alphabet, white space, impossible lengths,
/// and bits in the last character beyond the last byte.
package enum Base64URL {
    /// Why a text is refused.
    package enum Fault: Equatable, Sendable, CustomStringConvertible {
        case length
        case alphabet
        case trailingBits

        package var description: String {
            switch self {
            case .length: "no bytes are this long when encoded"
            case .alphabet: "has a character other than A-Z a-z 0-9 - _"
            case .trailingBits: "has bits set after the last byte"
            }
        }
    }

    /// The number of characters for `byteCount` bytes.
    package static func encodedLength(of byteCount: Int) -> Int { Sextets.count(of: byteCount) }

    /// The number of bytes in `characterCount` characters; `nil` if no number of bytes has that length.
    package static func decodedLength(of characterCount: Int) -> Int? {
        characterCount % 4 == 1 ? nil : characterCount / 4 * 3 + characterCount % 4 * 3 / 4
    }
}
