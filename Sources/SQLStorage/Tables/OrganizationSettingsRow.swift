import Consent
import Identifiers
import JSON
import Messages
import Organizations
import SQL

/// Reads and writes whole organizations.
enum OrganizationSettingsRow {
    static func find(_ id: OrganizationID, _ db: any SQLConnection) throws -> Organization? {
        try db.statement(
            """
            SELECT name, enforcement, target_hosts, honors_gpc, identifiers, \(RetentionRow.columns), \(QuotasRow.columns),
                requires_evidence, consent_url, ask_again_days, records_access
            FROM organizations WHERE id = ?
            """
        ).first(id.description) { row in
            Organization(
                id: id,
                name: row.text(0),
                enforcement: try Enforcement(code: row.integer(1)),
                targetHosts: try hosts(row.text(2)),
                honorsGPC: row.bool(3),
                identifiers: try RecipientComparison(code: row.integer(4)),
                retention: try RetentionRow.read(row, from: 5),
                quotas: QuotasRow.read(row, from: 7),
                requiresEvidence: row.bool(9),
                consentPage: try consentPage(row.optionalText(10)),
                askAgainAfterDays: try RetentionRow.days(row.integer(11)),
                recordsAccess: row.bool(12)
            )
        }
    }

    static func ids(_ db: any SQLConnection) throws -> [OrganizationID] {
        try db.statement("SELECT id, number FROM organizations ORDER BY number")
            .all { try $0.organizationID(0, number: 1) }
    }

    static func ids(after number: Int64, limit: Int, _ db: any SQLConnection) throws -> [OrganizationID] {
        try db.statement("SELECT id, number FROM organizations WHERE number > ? ORDER BY number LIMIT ?")
            .all(number, limit) { try $0.organizationID(0, number: 1) }
    }

    /// - Returns: the number of the new row.
    static func insert(_ organization: Organization, _ db: any SQLConnection) throws -> Int64 {
        try db.statement(
            """
            INSERT INTO organizations (id, name, enforcement, target_hosts, honors_gpc, identifiers, requires_evidence,
                consent_url, ask_again_days, records_access)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            \(db.dialect.returningNumber)
            """
        ).newNumber(
            organization.id.description,
            organization.name,
            organization.enforcement.code,
            json(organization.targetHosts),
            organization.honorsGPC,
            organization.identifiers.code,
            organization.requiresEvidence,
            organization.consentPage?.text,
            organization.askAgainAfterDays,
            organization.recordsAccess
        )
    }

    static func update(_ organization: Organization, _ db: any SQLConnection) throws {
        try db.statement(
            """
            UPDATE organizations SET name = ?, enforcement = ?, target_hosts = ?, honors_gpc = ?, requires_evidence = ?,
                consent_url = ?, ask_again_days = ?, records_access = ?
            WHERE id = ?
            """
        ).run(
            organization.name,
            organization.enforcement.code,
            json(organization.targetHosts),
            organization.honorsGPC,
            organization.requiresEvidence,
            organization.consentPage?.text,
            organization.askAgainAfterDays,
            organization.recordsAccess,
            organization.id.description
        )
    }

    private static func consentPage(_ text: String?) throws(StorageError) -> ConsentPageURL? {
        do throws(ConsentPageURLError) {
            guard let text else { return nil }
            return try ConsentPageURL(text)
        } catch {
            throw .unreadable
        }
    }

    private static func json(_ hosts: [TargetHostPattern]) -> String {
        var writer = JSONWriter()
        writer.array { writer in
            for host in hosts { writer.string(host.description) }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func hosts(_ json: String) throws(StorageError) -> [TargetHostPattern] {
        do {
            guard case .array(let values) = try JSONValue.parse(Array(json.utf8)) else { throw StorageError.unreadable }
            return try values.map { value in
                guard case .string(let text) = value else { throw StorageError.unreadable }
                return try TargetHostPattern(text)
            }
        } catch {
            throw .unreadable
        }
    }
}
