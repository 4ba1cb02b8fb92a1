package import Identifiers

/// Keeps the sessions of the console, for all nodes. May be called at once from anywhere; what it wrote is durable when
/// the call returns. A session that has ended may be forgotten at any time.
package protocol SessionStore: Sendable {
    /// Adds a session, and forgets those that have ended at its time. Where its account has
    /// ``ConsoleSession/mostOfAccount`` others, it ends those that were used longest ago. One that is there already stays
    /// as it is: requests at once may add the same.
    func add(_ session: ConsoleSession) async throws

    /// - Returns: the session, ended or not; `nil` when there is none.
    func session(_ digest: SessionDigest) async throws -> ConsoleSession?

    /// The sessions of an account that have not ended, newest first.
    func sessions(of account: String, at now: Timestamp) async throws -> [ConsoleSession]

    /// Notes that a session was used, and, where `isConfirmed`, that they proved again who they are. Times only grow.
    func note(_ digest: SessionDigest, usedAt now: Timestamp, isConfirmed: Bool) async throws

    /// - Returns: whether there was such a session.
    func end(_ digest: SessionDigest) async throws -> Bool

    /// Ends every session of an account, at every node.
    func endAll(of account: String) async throws

    /// Keeps the digest of a link that signs the operator in once.
    func addLink(_ digest: SessionDigest, at now: Timestamp) async throws

    /// Takes a link away.
    /// - Returns: whether it was there, and was made after `oldest`. Of calls at once, one gets `true`.
    func takeLink(_ digest: SessionDigest, madeAfter oldest: Timestamp) async throws -> Bool
}
