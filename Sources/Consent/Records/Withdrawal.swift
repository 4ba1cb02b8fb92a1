/// The result of a recipient's own withdrawal, with a link that was sent to them.
package enum Withdrawal: Hashable, Sendable {
    /// It counts from now on.
    case recorded(ConsentRecord)
    /// Tracking had ended already, and no record was added (see ``RepeatedRefusal``).
    case hadEnded
    /// The link names no recipient of the organization, for example because the recipient was erased.
    case noRecipient
}
