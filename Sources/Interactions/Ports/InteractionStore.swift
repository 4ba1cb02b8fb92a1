package import Identifiers

/// Keeps what recipients did. May be called at once from anywhere.
package protocol InteractionStore: Sendable {
    /// Stores all of `occurrences` or none; durable on return. One whose id is stored already is passed over, so a
    /// drain that was interrupted may repeat itself.
    ///
    /// Gives each a position behind all that were readable before: no reader's place is overtaken by what a drain
    /// brings late.
    func store(_ occurrences: [SpooledOccurrence], at now: Timestamp) async throws

    /// About how many occurrences one call should store at most: many more would keep other writes waiting for too long.
    var mostAtOnce: Int { get }

    /// Looks up what storing `occurrences` will ask for, and stores nothing. What has changed by the time they are stored is
    /// looked up again then.
    /// - Parameter newest: the newest consent record when the occurrences were judged; `nil` where there was none.
    func prepare(
        _ occurrences: [SpooledOccurrence], judgedAsOf newest: ConsentRecordID?
    ) async throws -> PreparedOccurrences

    /// As ``store(_:at:)`` does, with what was looked up before.
    /// - Returns: those that were not stored because there is a consent record of their recipient that is newer than the
    ///   judgement. They must be judged again.
    func store(_ prepared: PreparedOccurrences, at now: Timestamp) async throws -> [SpooledOccurrence]

    /// What devices reported since `instant`, of recipients who are still known, without links that were followed.
    func reports(since instant: Timestamp) async throws -> [Occurrence]

    /// At most `limit` interactions that fit `query`, in the order of their positions, which is that of storing.
    func interactions(
        matching query: InteractionQuery, limit: Int, in organization: OrganizationID
    ) async throws -> [Interaction]

    /// Whether a reader of the organization's feed can have `place`.
    ///
    /// False for the interaction of another organization, and for what is no interaction. Retention deletes the oldest
    /// first, so a place with nothing stored before it, and the id of an interaction that is no newer than those that were
    /// deleted, may be of one that is stored no longer: true.
    func hasPlace(_ place: InteractionPlace, in organization: OrganizationID) async throws -> Bool

    /// How many interactions of an organization are stored; 0 for one that is unknown. Takes no longer when there are
    /// more.
    func count(in organization: OrganizationID) async throws -> Int
}

/// Occurrences that are to be stored, and what an ``InteractionStore`` has looked up for that.
package struct PreparedOccurrences: Sendable {
    package let occurrences: [SpooledOccurrence]
    /// The newest consent record when they were judged; `nil` where there was none.
    package let newestRecord: ConsentRecordID?
    /// For the store that has made it; another one passes over it.
    package let known: (any Sendable)?

    package init(
        _ occurrences: [SpooledOccurrence], judgedAsOf newest: ConsentRecordID?, known: (any Sendable)? = nil
    ) {
        self.occurrences = occurrences
        newestRecord = newest
        self.known = known
    }
}
