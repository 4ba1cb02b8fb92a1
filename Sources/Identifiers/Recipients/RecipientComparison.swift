/// How an organization compares its recipients.
///
/// It is chosen when the organization is made and never changes: consent that was recorded under one comparison cannot
/// be assigned to recipients under the other.
package enum RecipientComparison: String, Hashable, Sendable, CaseIterable {
    /// E-mail addresses by the rules of ``EmailAddress``, all other identifiers byte for byte.
    case email
    /// Byte for byte.
    case exact
}
