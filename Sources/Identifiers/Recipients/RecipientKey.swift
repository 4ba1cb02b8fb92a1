/// What a recipient is recognised by: the same for all spellings that an organization takes for one recipient.
///
/// It is what a ``RecipientID`` is stored and looked up by. It is personal data as the identifier is, and is written
/// nowhere: the storage keeps a keyed hash of it.
package struct RecipientKey: Sendable {
    package let text: String
    /// Whether the recipient was given in another spelling than ``text``.
    package let isRespelled: Bool

    /// Allocates nothing for a recipient that is spelt as its key, which plain lower-case addresses are.
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
