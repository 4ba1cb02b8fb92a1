package import Identifiers

/// Stores the sessions of the console, for all nodes. All calls may be concurrent; writes are durable when the call
/// returns. A session that has ended may be removed at any time.
package protocol SessionStore: Sendable {
    /// Adds a session, and removes those that have ended at its time. If its account has
    /// ``ConsoleSession/maximumCountOfAccount`` others, ends those that were used longest ago. A session that exists
    /// already is unchanged, because concurrent requests may add the same one.
    func add(_ session: ConsoleSession) async throws

    /// - Returns: the session, even if it has ended; `nil` if there is none.
    func session(_ digest: SessionDigest) async throws -> ConsoleSession?

    /// The sessions of an account that have not ended, newest first.
    func sessions(of account: String, at now: Timestamp) async throws -> [ConsoleSession]

    /// Notes that a session was used. Times never go back.
    /// - Parameter confirmed: when its user proved their identity again; `nil` if they did not.
    func update(_ digest: SessionDigest, usedAt now: Timestamp, confirmedAt confirmed: Timestamp?) async throws

    /// - Returns: whether there was such a session.
    func end(_ digest: SessionDigest) async throws -> Bool

    /// Ends every session of an account, on every node.
    func endAll(of account: String) async throws

    /// Stores the digest of a link that signs the operator in once.
    func addLink(_ digest: SessionDigest, at now: Timestamp) async throws

    /// Removes a link.
    /// - Returns: whether it existed and was made after `oldest`, and not in the future of `now`. Of concurrent calls,
    ///   one gets `true`.
    func takeLink(_ digest: SessionDigest, madeAfter oldest: Timestamp, at now: Timestamp) async throws -> Bool
}
