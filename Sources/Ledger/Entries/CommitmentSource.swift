/// From what the commitment of an entry comes.
package enum CommitmentSource: Equatable, Sendable {
    /// The private fields are known: it is made of them, under this salt.
    case salt(Salt)
    /// The recipient was erased: the commitment from before.
    case kept(Commitment)
    /// Neither is there, which no write leaves behind: the row was changed. The entry is rendered with an empty
    /// commitment, so that it is not the one in the tree.
    case missing
}
