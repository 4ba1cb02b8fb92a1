package import Consent
package import Identifiers
package import Interactions

/// Answers what reports say, from counts that are kept while decisions and interactions are stored. May be called at
/// once from anywhere.
///
/// A count never falls because a person is erased or because retention deletes what is older: numbers name nobody. What
/// says which recipient was counted goes with what it was counted from; a recipient of whom that is gone and who
/// comes back counts as another person.
package protocol ReportStore: Sendable {
    /// What is kept about a message, all of it as of one moment; `nil` when the organization has no such message.
    /// Takes no longer for more recipients.
    func counts(of message: MessageID, in organization: OrganizationID) async throws -> MessageCounts?

    /// The figures of several messages, as of one moment; each is that of ``counts(of:in:)-(MessageID,_)``. Nothing for
    /// messages that the organization does not have. Takes much less than asking for each, and no longer for more
    /// recipients.
    func figures(
        of messages: [MessageID], in organization: OrganizationID
    ) async throws -> [MessageID: PeopleFigures]

    /// What is kept about all messages of a selection. A person whom nothing tells apart any more counts once for each
    /// message. Memory does not grow with the number of recipients.
    /// - Throws: ``ReportSelectionError/tooManyMessages``, and ``ReportSelectionError/tooManyPeople`` where it would take
    ///   more than about two seconds; both before most of the work is done.
    func counts(of selection: ReportSelection, in organization: OrganizationID) async throws -> CampaignCounts

    /// What is kept about consents. The records of an erased recipient stay counted; from the day of the erasure on the
    /// recipient counts under no status. Takes no longer for more recipients.
    func consents(_ selection: ConsentReportSelection, in organization: OrganizationID) async throws -> ConsentCounts

    /// How many decisions were made on each day (UTC) that the time of the selection touches, by reason; days without
    /// any are left out. The selection's tag counts for nothing.
    func decisions(
        on selection: ReportSelection, in organization: OrganizationID
    ) async throws -> [CalendarDay: [DecisionReason: Int]]
}
