import ASCII

/// One of the words that a backend files a message under: 1–64 bytes without control characters.
///
/// Tags are compared by their bytes: Swift treats texts with different bytes that look alike as equal.
package struct MessageTag: Hashable, Comparable, Sendable {
    /// In bytes of UTF-8.
    static let allowedLength = 1...64
    /// The most tags of one message.
    static let maximumCount = 16

    package let bytes: [UInt8]

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package init(_ text: String) throws(MessageTagError) {
        bytes = Array(text.utf8)
        guard Self.allowedLength.contains(bytes.count) else { throw .length }
        guard !text.hasControlCharacter else { throw .controlCharacter }
    }

    package static func < (one: Self, other: Self) -> Bool { one.bytes.lexicographicallyPrecedes(other.bytes) }
}

/// Why a text is no tag.
package enum MessageTagError: Error, CustomStringConvertible {
    case length
    case controlCharacter

    package var description: String {
        switch self {
        case .length:
            "must be \(MessageTag.allowedLength.lowerBound) to \(MessageTag.allowedLength.upperBound) bytes of UTF-8"
        case .controlCharacter: "must not contain control characters"
        }
    }
}
