package import Identifiers

/// Reads consent records as they were recorded. May be called at once from anywhere.
package protocol ConsentArchive: Sendable {
    /// The records of one append, by its first and its last, in its order.
    func records(
        from first: ConsentRecordID, through last: ConsentRecordID, in organization: OrganizationID
    ) async throws -> [ConsentRecord]

    /// The record with `id`; `nil` when the organization has none such.
    func record(_ id: ConsentRecordID, in organization: OrganizationID) async throws -> ConsentRecord?

    /// Whose record it is; `nil` when there is none such. For callers to whom the record's id was given under a seal.
    func organization(of record: ConsentRecordID) async throws -> OrganizationID?

    /// The name that a recipient was first given by, which lists and exports show them under; `nil` for an unknown one
    /// and for one who was erased.
    func firstName(of recipient: RecipientID, in organization: OrganizationID) async throws -> RecipientID?

    /// Which records there are about a recipient, oldest first; empty for an unknown one.
    func recordIDs(of recipient: RecipientID, in organization: OrganizationID) async throws -> [ConsentRecordID]

    /// The records with these ids, in their order. One that is gone is left out.
    func records(_ ids: [ConsentRecordID], in organization: OrganizationID) async throws -> [ConsentRecord]

    /// At most `limit` of a recipient's records, by purpose and for each purpose in the order in which they come into
    /// force, so that the last of a purpose is the one that is. However many there are, a part costs what is in it.
    /// - Parameter last: the last one of the part before.
    func history(
        of recipient: RecipientID, after last: ConsentRecord?, limit: Int, in organization: OrganizationID
    ) async throws -> [ConsentRecord]
}

extension ConsentArchive {
    /// Everything recorded about a recipient, oldest first; empty for an unknown one. For short histories: all of it is held.
    package func history(of recipient: RecipientID, in organization: OrganizationID) async throws -> [ConsentRecord] {
        try await records(try await recordIDs(of: recipient, in: organization), in: organization)
    }
}
