/// What is left of an entry's private fields beside themselves.
package enum EntryFinalizer: Equatable, Sendable {
    /// They are known, and this makes their commitment.
    case salt(Salt)
    /// The recipient was erased: the commitment from before.
    case commitment(Commitment)
    /// Neither is there, which no write leaves behind: the row was changed. The entry is rendered with an empty
    /// commitment, so that it is not the one in the tree.
    case missing
}
