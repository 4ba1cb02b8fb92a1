import ASCII

/// The identifier of a recipient in a backend, such as a mail address: 1–256 bytes of UTF-8 without control characters.
///
/// This is personal data. It is stored only in the recipients table, and must not be in tokens, logs, metrics, error
/// texts or URLs; everything else uses a ``RecipientReference``.
///
/// Two identifiers are equal if their bytes are. Swift's `String` compares by canonical equivalence instead, which
/// would take two recipients for one, so comparison and hashing are implemented here.
package struct RecipientID: Sendable {
    /// In bytes of UTF-8.
    package static let maximumLength = 256

    package let text: String

    package init(_ text: String) throws(IdentifierError) {
        let length = text.utf8.count
        guard length > 0 else { throw .recipientEmpty }
        guard length <= Self.maximumLength else { throw .recipientTooLong }
        guard !text.hasControlCharacter else { throw .recipientHasControlCharacter }
        self.text = text
    }
}

extension RecipientID: Hashable {
    package static func == (one: Self, other: Self) -> Bool {
        one.text.hasSameBytes(as: other.text)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combineBytes(of: text)
    }
}

extension RecipientID: CustomStringConvertible {
    /// Hides the recipient, so that interpolating it by mistake reveals nothing. The identifier is ``text``.
    package var description: String { "(recipient)" }
}
