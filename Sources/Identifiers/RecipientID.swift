/// The identifier by which a backend knows a recipient, such as a mail address: 1–256 bytes of UTF-8, no control
/// characters.
///
/// This is personal data. It is stored in the recipients table alone and stands in no token, log, metric, error text
/// or URL; everything else speaks of a ``RecipientReference``.
///
/// Two identifiers are equal when their bytes are. Swift's `String` compares by canonical equivalence instead, which
/// would make two recipients of one, so comparison and hashing are spelt out here.
package struct RecipientID: Sendable {
    package static let maximumLength = 256

    package let text: String

    package init(_ text: String) throws(IdentifierError) {
        let length = text.utf8.count
        guard length > 0 else { throw .recipientEmpty }
        guard length <= Self.maximumLength else { throw .recipientTooLong }
        guard !Self.hasControlCharacter(text) else { throw .recipientHasControlCharacter }
        self.text = text
    }

    /// Unicode's control characters are U+0000–U+001F, U+007F and U+0080–U+009F, the last of them `C2 80` to `C2 9F`
    /// in UTF-8. A campaign brings millions of recipients, so their bytes are looked at and not their properties.
    private static func hasControlCharacter(_ text: String) -> Bool {
        let bytes = text.utf8Span.span
        var previous: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[unchecked: index]
            if byte < 0x20 || byte == 0x7F || (previous == 0xC2 && byte < 0xA0) { return true }
            previous = byte
        }
        return false
    }
}

extension RecipientID: Hashable {
    package static func == (one: Self, other: Self) -> Bool {
        one.text.utf8Span.span.hasSameBytes(as: other.text.utf8Span.span)
    }

    package func hash(into hasher: inout Hasher) {
        text.utf8Span.span.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(0xFF as UInt8)
    }
}

extension RecipientID: CustomStringConvertible {
    /// Hides the recipient, so that an interpolation by mistake leaks nothing. The identifier is ``text``.
    package var description: String { "(recipient)" }
}

extension Span<UInt8> {
    fileprivate func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[unchecked: index] != other[unchecked: index] { return false }
        return true
    }
}
