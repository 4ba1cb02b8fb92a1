/// The result of a withdrawal that a recipient made themselves, with a link that was sent to them.
package enum Withdrawal: Hashable, Sendable {
    /// It counts from now on.
    case recorded(ConsentRecord)
    /// What was in force had ended tracking already; nothing was added.
    case hadEnded
    /// The recipient was erased, so there is nothing to record and nothing to track.
    case nobody
}
