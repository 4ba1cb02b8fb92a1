/// What is left of an entry's private fields beside themselves.
package enum EntryFinalizer: Equatable, Sendable {
    /// They are known, and this makes their commitment.
    case salt(Salt)
    /// Their person was erased: what they were committed to when they were known.
    case commitment(Commitment)
    /// Neither is there, which no write leaves behind: somebody took it away. The entry is rendered with an empty
    /// commitment, so that it is not the one in the tree.
    case missing
}
