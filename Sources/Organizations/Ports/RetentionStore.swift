package import Identifiers

/// Forgets what is kept no longer. May be called at once from anywhere.
package protocol RetentionStore: Sendable {
    /// Does one step of what an organization's ``Retention`` asks for at `now`: interactions are removed, decisions lose
    /// their recipient and the record they rest on. All of a step happens, with its entry in the ledger, or nothing;
    /// it is durable on return.
    ///
    /// - Parameter limit: how many rows of either kind the step may touch.
    func purge(_ organization: OrganizationID, at now: Timestamp, limit: Int) async throws -> Purge
}

/// What one step came to.
package struct Purge: Hashable, Sendable {
    /// How many were removed.
    package let interactions: Int
    /// How many no longer say whom they were about.
    package let decisions: Int

    /// Whether another step would find nothing to do.
    package let isLast: Bool

    package init(interactions: Int, decisions: Int, isLast: Bool) {
        self.interactions = interactions
        self.decisions = decisions
        self.isLast = isLast
    }
}
