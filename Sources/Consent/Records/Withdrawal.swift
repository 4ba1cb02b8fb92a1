/// What came of a withdrawal that a person made themselves, by something that was sent to them.
package enum Withdrawal: Hashable, Sendable {
    /// It counts from now on.
    case recorded(ConsentRecord)
    /// What was in force had ended tracking already; nothing was added.
    case hadEnded
    /// Nothing is known any more of who it was sent to, so there is nothing to record and nobody to track.
    case nobody
}
