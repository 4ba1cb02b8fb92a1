package import Identifiers

/// Reads consent records as they were recorded. All calls may be concurrent.
package protocol ConsentArchive: Sendable {
    /// The records of one append, given by its first and its last one, in its order.
    func records(
        from first: ConsentRecordID, through last: ConsentRecordID, in organization: OrganizationID
    ) async throws -> [ConsentRecord]

    /// The record with `id`; `nil` if the organization has none.
    func record(_ id: ConsentRecordID, in organization: OrganizationID) async throws -> ConsentRecord?

    /// The organization of a record; `nil` if there is no such record. The caller must have the record's id from a
    /// sealed token.
    func organization(of record: ConsentRecordID) async throws -> OrganizationID?

    /// The spelling under which a recipient was first given, which lists and exports show; `nil` for an unknown or
    /// erased recipient.
    func firstName(of recipient: RecipientID, in organization: OrganizationID) async throws -> RecipientID?

    /// The ids of the records about a recipient, oldest first; empty for an unknown one.
    func recordIDs(of recipient: RecipientID, in organization: OrganizationID) async throws -> [ConsentRecordID]

    /// The records with these ids, in their order. Records that do not exist are left out.
    func records(_ ids: [ConsentRecordID], in organization: OrganizationID) async throws -> [ConsentRecord]

    /// At most `limit` of a recipient's records, ordered by purpose and then by precedence, so that the last record of
    /// a purpose is the one in force. They end with the record with which their evidence is
    /// ``ConsentEvidence/lengthAtOnce`` long. The cost depends only on the returned records.
    /// - Parameter last: the last record of the previous part.
    /// - Returns: none only at the end.
    func history(
        of recipient: RecipientID, after last: ConsentRecord?, limit: Int, in organization: OrganizationID
    ) async throws -> [ConsentRecord]

    /// At most `limit` of a recipient's records in that order, each without its evidence, which is not read.
    func historyWithoutEvidence(
        of recipient: RecipientID, after last: ConsentRecord?, limit: Int, in organization: OrganizationID
    ) async throws -> [ConsentRecord]
}
