package import Identifiers
package import StoragePorts

/// Forgets data that is no longer kept. All calls may be concurrent. Calls that change data are steps of
/// ``Job/retention``.
package protocol RetentionStore: Sendable {
    /// Does one step that an organization's ``Retention`` requires at `now`: interactions are deleted; decisions lose
    /// their recipient and their consent record; accesses, which have the same retention, lose their recipient and
    /// reason; consent requests are deleted when they no longer keep the organization from asking again
    /// (`AskingPause`). A step is done as a whole, with its entry in the ledger, or not at all. It is durable on
    /// return.
    ///
    /// The entry carries the time of the step, which may be later than `now`.
    /// - Parameters:
    ///   - limit: the greatest number of rows of each kind in the step.
    ///   - token: the token of the caller's lease of the job.
    /// - Throws: ``JobTokenExpired`` if that lease was released or another one was taken after it; then nothing was
    ///   changed.
    func purge(
        _ organization: OrganizationID, at now: Timestamp, limit: Int, as token: JobToken
    ) async throws -> Purge

    /// The time from which on ``purge(_:at:limit:as:)`` has something to do: when the oldest stored data reaches the
    /// end of its retention. `nil` if no stored data has an end.
    func nextDue(in organization: OrganizationID) async throws -> Timestamp?

    /// Deletes up to `limit` requests with an `Idempotency-Key` that were made at `instant` or before, the oldest
    /// first. Their keys can then be used again. Durable on return.
    /// - Returns: how many it deleted.
    /// - Throws: ``JobTokenExpired``, like ``purge(_:at:limit:as:)``.
    func forgetRequests(madeUntil instant: Timestamp, limit: Int, as token: JobToken) async throws -> Int

    /// The hold as it was when ``store(_:as:)`` was last called.
    /// - Parameter now: the present time of the clock.
    func hold(at now: Timestamp) async throws -> RetentionHold

    /// Stores what the next start must know about a hold. Durable on return.
    /// - Throws: ``JobTokenExpired``, like ``purge(_:at:limit:as:)``.
    func store(_ hold: RetentionHold, as token: JobToken) async throws
}

/// The result of one step.
package struct Purge: Hashable, Sendable {
    /// How many interactions were deleted.
    package let interactions: Int
    /// How many decisions lost their recipient.
    package let decisions: Int
    /// How many accesses lost their recipient and their reason.
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
