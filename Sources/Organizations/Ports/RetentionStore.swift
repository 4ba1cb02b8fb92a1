package import Identifiers

/// Forgets what is kept no longer. May be called at once from anywhere. What changes something is a step of
/// ``Job/retention``.
package protocol RetentionStore: Sendable {
    /// Does one step of what an organization's ``Retention`` asks for at `now`: interactions are removed, decisions lose
    /// their recipient and the record they rest on, and accesses, which are kept as long, their recipient and reason. Consent requests are removed once they say nothing more of whom to
    /// leave alone (`AskingPause`). All of a step happens, with its entry in the ledger, or nothing;
    /// it is durable on return.
    ///
    /// The entry carries the time at which the step was done, which may be later than `now`.
    /// - Parameters:
    ///   - limit: how many rows of either kind the step may touch.
    ///   - token: of the caller's lease of the job.
    /// - Throws: ``JobTokenExpired`` when that lease was released or another was taken after it; then nothing happened.
    func purge(
        _ organization: OrganizationID, at now: Timestamp, limit: Int, as token: JobToken
    ) async throws -> Purge

    /// The moment from which ``purge(_:at:limit:as:)`` has something to do: when the oldest of what is stored reaches the
    /// end of its days. Nil when nothing that is stored has an end.
    func nextDue(in organization: OrganizationID) async throws -> Timestamp?

    /// Whether the clock was believed when ``note(_:as:)`` was last called, by a ``RetentionHold``.
    /// - Parameter now: by the clock as it is.
    func hold(at now: Timestamp) async throws -> RetentionHold

    /// Keeps what the next start has to know of a hold; durable on return.
    /// - Throws: ``JobTokenExpired``, as ``purge(_:at:limit:as:)`` does.
    func note(_ hold: RetentionHold, as token: JobToken) async throws
}

/// What one step came to.
package struct Purge: Hashable, Sendable {
    /// How many were removed.
    package let interactions: Int
    /// How many no longer say whom they were about.
    package let decisions: Int
    /// How many no longer say whom they were about, nor why.
    package let accesses: Int

    /// Whether another step would find nothing to do.
    package let isLast: Bool

    package init(interactions: Int, decisions: Int, accesses: Int = 0, isLast: Bool) {
        self.interactions = interactions
        self.decisions = decisions
        self.accesses = accesses
        self.isLast = isLast
    }
}
