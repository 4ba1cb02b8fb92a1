import Consent
import Identifiers
import SQL

/// A consent request with the numbers of its rows.
struct StoredConsentRequest {
    let request: ConsentRequest
    let organization: Int64
    /// `nil` once erased.
    let recipient: Int64?

    private struct Row {
        let id: ConsentRequestID
        let organization: Int64
        let recipient: Int64?
        let notice: Int64
        let needsConfirmation: Bool
        let madeAt: Timestamp
        let expiresAt: Timestamp
        let position: TimeOrderedNumber?
        let organizationID: OrganizationID
        let name: RecipientID?
    }

    static func find(_ id: ConsentRequestID, _ db: any SQLConnection) throws -> StoredConsentRequest? {
        let row = try db.statement(
            """
            SELECT q.id, q.organization, q.recipient, q.notice, q.needs_confirmation, q.made_at, q.expires_at,
                q.confirmation_place, o.id, r.identifier
            FROM consent_requests q JOIN organizations o ON o.number = q.organization
                LEFT JOIN recipients r ON r.number = q.recipient
            WHERE q.id = ?
            """
        ).first(id, read: Self.row)
        guard let row else { return nil }
        let request = ConsentRequest(
            id: row.id, organization: row.organizationID, recipient: row.name,
            notice: try NoticeRow.find(row.notice, of: row.organizationID, db),
            needsConfirmation: row.needsConfirmation, madeAt: row.madeAt, expiresAt: row.expiresAt,
            purposes: try AskedPurposeRow.all(of: row.id, row.organization, db),
            confirmationPosition: row.position)
        return StoredConsentRequest(request: request, organization: row.organization, recipient: row.recipient)
    }

    private static func row(_ row: SQLRow) throws -> Row {
        let name = try row.recipient(9)
        do throws(IdentifierError) {
            return try Row(
                id: row.consentRequest(0), organization: row.integer(1), recipient: row.optionalInteger(2),
                notice: row.integer(3), needsConfirmation: row.bool(4), madeAt: row.timestamp(5),
                expiresAt: row.timestamp(6),
                position: row.optionalInteger(7).flatMap { TimeOrderedNumber(rawValue: UInt64(bitPattern: $0)) },
                organizationID: OrganizationID(row.text(8)), name: name)
        } catch {
            throw StorageError.unreadable
        }
    }
}

extension SQLRow {
    fileprivate func consentRequest(_ column: Int32) throws(IdentifierError) -> ConsentRequestID {
        guard let id = ConsentRequestID(rawValue: UInt64(bitPattern: integer(column))) else { throw .number }
        return id
    }
}
