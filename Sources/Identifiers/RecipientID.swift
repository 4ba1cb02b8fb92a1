/// The identifier of a recipient in a backend, such as a mail address: 1–256 bytes of UTF-8 without control characters.
///
/// This is personal data. It is stored only in the recipients table, and must not be in tokens, logs, metrics, error
/// texts or URLs; everything else uses a ``RecipientReference``.
///
/// Two identifiers are equal if their bytes are. Swift's `String` compares by canonical equivalence instead, which
/// would take two recipients for one, so comparison and hashing are implemented here.
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

    /// Unicode's control characters are U+0000–U+001F, U+007F and U+0080–U+009F; the last ones are `C2 80` to `C2 9F`
    /// in UTF-8. Bytes are checked instead of Unicode properties, because a campaign has millions of recipients.
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
    /// Hides the recipient, so that interpolating it by mistake reveals nothing. The identifier is ``text``.
    package var description: String { "(recipient)" }
}

extension Span<UInt8> {
    fileprivate func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[unchecked: index] != other[unchecked: index] { return false }
        return true
    }
}
