/// The source of the commitment of an entry.
package enum CommitmentSource: Equatable, Sendable {
    /// The private fields are known; the commitment is computed from them, under this salt.
    case salt(Salt)
    /// The recipient was erased; this is the commitment that was kept.
    case kept(Commitment)
    /// There is neither. No write leaves a row in this state, so the row was changed. The entry is rendered with an
    /// empty commitment, so that it differs from the one in the tree.
    case missing
}
