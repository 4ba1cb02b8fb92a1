package import Consent
package import Identifiers
package import Interactions

/// Reads reports from counts that are updated while decisions and interactions are stored. All calls may be concurrent.
///
/// A count never decreases because a recipient is erased or because retention deletes older data: numbers name no
/// recipient. The data that says which recipient was counted is deleted with its source; a recipient who comes back
/// after that counts as another one.
package protocol ReportStore: Sendable {
    /// The counts of a message, all at one moment; `nil` if the organization has no such message. The time does not
    /// depend on the number of recipients.
    func counts(of message: MessageID, in organization: OrganizationID) async throws -> MessageCounts?

    /// The figures of several messages, at one moment; each is that of ``counts(of:in:)-(MessageID,_)``. Messages that
    /// the organization does not have are left out. Takes much less time than a call for each, and does not depend on
    /// the number of recipients.
    func figures(
        of messages: [MessageID], in organization: OrganizationID
    ) async throws -> [MessageID: PeopleFigures]

    /// The counts of all messages of a selection together. A recipient who can no longer be recognised counts once for
    /// each message. Memory does not depend on the number of recipients.
    /// - Throws: ``ReportSelectionError/tooManyMessages``, and ``ReportSelectionError/tooManyPeople`` if it would take
    ///   more than about two seconds; both before most of the work is done.
    func counts(of selection: ReportSelection, in organization: OrganizationID) async throws -> CampaignCounts

    /// The consent counts. The records of an erased recipient stay counted; from the day of the erasure on, the
    /// recipient counts under no status. The time does not depend on the number of recipients.
    func consents(_ selection: ConsentReportSelection, in organization: OrganizationID) async throws -> ConsentCounts

    /// The number of decisions on each day (UTC) that the time of the selection overlaps, by reason; days without
    /// decisions are left out. The selection's tag is ignored.
    func decisions(
        on selection: ReportSelection, in organization: OrganizationID
    ) async throws -> [CalendarDay: [DecisionReason: Int]]
}
