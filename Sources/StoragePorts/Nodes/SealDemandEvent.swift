/// What a storage that several nodes share tells of its demand for the seals of ledgers.
package enum SealDemandEvent: Hashable, Sendable {
    /// This process made the database demand seals, for ledgers that had none or beside nodes that made none.
    case begun
    /// The database did not demand seals any more, although this process does, which made it do so again.
    case begunAgain
    /// They are demanded, and the folder cannot keep that, because the number of the database cannot be read.
    case notKept
    /// Seals cannot be demanded, for longer than a minute.
    case delayed(by: SealObstacle)
}

/// Why seals cannot be demanded yet.
package enum SealObstacle: Hashable, Sendable {
    /// A node of a version without seals may still write.
    case olderNode(NodeName)
    /// The attempt failed. The text is fit for the log.
    case failure(String)
}
