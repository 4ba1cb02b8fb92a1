import Identifiers
import Organizations
import SQL

/// Reads and writes keys.
enum AccessKeyRow {
    private static let columns = """
        SELECT k.id, o.id, k.name, k.scopes, k.last_used_at
        FROM access_keys k JOIN organizations o ON o.number = k.organization
        """

    static func find(_ digest: AccessKeyDigest, _ db: any SQLConnection) throws -> AccessKey? {
        try db.statement("\(columns) WHERE k.digest = ?").first(digest.bytes, read: key)
    }

    static func find(_ id: AccessKeyID, _ db: any SQLConnection) throws -> AccessKey? {
        try db.statement("\(columns) WHERE k.id = ?").first(id, read: key)
    }

    static func all(of organization: OrganizationID, _ db: any SQLConnection) throws -> [AccessKey] {
        try db.statement("\(columns) WHERE o.id = ? ORDER BY k.id").all(organization.description, read: key)
    }

    static func insert(
        _ new: NewAccessKey,
        of organization: OrganizationID,
        number: Int64,
        at now: Timestamp,
        _ writing: WriteContext
    ) throws -> AccessKey {
        let key = AccessKey(
            id: writing.makeID(.accessKeys, at: now),
            organization: organization,
            name: new.name,
            scopes: new.scopes
        )
        try writing.db.statement(
            "INSERT INTO access_keys (id, organization, digest, name, scopes) VALUES (?, ?, ?, ?, ?)"
        ).run(key.id, number, new.digest.bytes, key.name, key.scopes.bits)
        return key
    }

    /// The stored time goes back only if it is in the future.
    static func note(_ id: AccessKeyID, usedAt time: Timestamp, _ db: any SQLConnection) throws {
        try db.statement(
            """
            UPDATE access_keys SET last_used_at = ?
            WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ? OR last_used_at > ?)
            """
        ).run(time, id, time, time.advanced(by: Timestamp.toleratedLead))
    }

    private static func key(_ row: SQLRow) throws -> AccessKey {
        AccessKey(
            id: try row.id(0),
            organization: try OrganizationID(row.text(1)),
            name: row.text(2),
            scopes: Set(bits: row.integer(3)),
            lastUsedAt: row.optionalTimestamp(4)
        )
    }
}

extension AccessKeyID: SQLBindable {}
