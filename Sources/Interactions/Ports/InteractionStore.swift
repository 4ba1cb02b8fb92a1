package import Identifiers

/// Stores the interactions of recipients. All calls may be concurrent.
package protocol InteractionStore: Sendable {
    /// About how many occurrences one call should store at most. Many more would delay other writes too long.
    var maximumBatchSize: Int { get }

    /// Looks up the values that storing `occurrences` needs, and stores nothing. Values that have changed when they are
    /// stored are looked up again then.
    /// - Parameter newest: the newest consent record when the occurrences were judged; `nil` if there was none.
    func prepare(
        _ occurrences: [SpooledOccurrence], judgedAsOf newest: ConsentRecordID?
    ) async throws -> PreparedOccurrences

    /// Stores all of the occurrences that need no new judgement, or none. Durable on return. An occurrence whose id is
    /// stored already is skipped, so a drain that was interrupted may repeat the call.
    ///
    /// Gives each a position behind all that were readable before, so that a reader never misses an interaction that a
    /// drain stores late.
    /// - Returns: occurrences that were not stored, because their recipient has a consent record that is newer than the
    ///   judgement. They must be judged again.
    func store(_ prepared: PreparedOccurrences, at now: Timestamp) async throws -> [SpooledOccurrence]

    /// The reports of devices since `instant`, about recipients who are not erased. What the redirect recorded is not
    /// among them.
    func reports(since instant: Timestamp) async throws -> [Occurrence]

    /// At most `limit` interactions that fit `query`, in the order of their positions, which is the order of storing.
    func interactions(
        matching query: InteractionQuery, limit: Int, in organization: OrganizationID
    ) async throws -> [Interaction]

    /// The same for a reader that asks again until something fits. If nothing fits, the result may state the place up
    /// to which nothing fits, so that the next call does not read the same again. That place is one that a reader can
    /// have got.
    func following(
        _ query: InteractionQuery, limit: Int, in organization: OrganizationID
    ) async throws -> FollowedInteractions

    /// Whether a reader of the organization's feed can have got `cursor`.
    ///
    /// False for a cursor that no interaction of the organization has. Retention deletes the oldest interactions first.
    /// So it is true for a cursor with nothing stored before it, and for an id that is not newer than deleted
    /// interactions: their interactions may have been deleted. The result does not depend on what other organizations
    /// have.
    func isKnown(_ cursor: InteractionFeedCursor, in organization: OrganizationID) async throws -> Bool

    /// How many interactions of an organization are stored; 0 for an unknown organization. Its cost does not depend on
    /// the number.
    func count(in organization: OrganizationID) async throws -> Int
}

extension InteractionStore {
    /// For stores that do not say up to where nothing fits.
    package func following(
        _ query: InteractionQuery, limit: Int, in organization: OrganizationID
    ) async throws -> FollowedInteractions {
        FollowedInteractions(
            interactions: try await interactions(matching: query, limit: limit, in: organization), passed: nil)
    }
}

/// What a reader has found that asks again until something fits.
package struct FollowedInteractions: Sendable {
    package let interactions: [Interaction]
    /// If no interactions were found: the place up to which none fits, now or later. `nil` if it is not known, or if it
    /// would save little.
    package let passed: InteractionFeedCursor?

    package init(interactions: [Interaction], passed: InteractionFeedCursor?) {
        self.interactions = interactions
        self.passed = passed
    }
}

/// Occurrences that are to be stored, with the values that an ``InteractionStore`` has looked up for it.
package struct PreparedOccurrences: Sendable {
    package let occurrences: [SpooledOccurrence]
    /// The newest consent record when they were judged; `nil` if there was none.
    package let newestRecord: ConsentRecordID?
    /// Used by the store that made it; another store ignores it.
    package let known: (any Sendable)?

    package init(
        _ occurrences: [SpooledOccurrence], judgedAsOf newest: ConsentRecordID?, known: (any Sendable)? = nil
    ) {
        self.occurrences = occurrences
        newestRecord = newest
        self.known = known
    }
}
