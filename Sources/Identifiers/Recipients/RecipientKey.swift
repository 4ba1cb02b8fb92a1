/// The key of a recipient: the same for all spellings that an organization takes for one recipient.
///
/// A ``RecipientID`` is stored and looked up by it. It is personal data like the identifier, and is written nowhere:
/// the storage has a keyed hash of it.
package struct RecipientKey: Sendable {
    package let text: String
    /// Whether the recipient was given in another spelling than ``text``.
    package let isRespelled: Bool

    /// Allocates nothing if the recipient's spelling is the key, as for plain lower-case addresses.
    package init(_ recipient: RecipientID, by comparison: RecipientComparison) {
        let form =
            switch comparison {
            case .email: EmailAddress.comparisonForm(of: recipient.text)
            case .exact: nil as String?
            }
        text = form ?? recipient.text
        isRespelled = form != nil
    }
}

extension RecipientKey: CustomStringConvertible {
    /// Hides the recipient, for the same reason as ``RecipientID/description``.
    package var description: String { "(recipient)" }
}
