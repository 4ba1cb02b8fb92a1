import Identifiers
import Organizations
import SQL

/// Reads and writes keys.
enum APIKeyRow {
    private static let columns = """
        SELECT k.id, o.id, k.name, k.scopes, k.last_used_at
        FROM access_keys k JOIN organizations o ON o.number = k.organization
        """

    static func find(_ digest: APIKeyDigest, _ db: any SQLConnection) throws -> APIKey? {
        try db.statement("\(columns) WHERE k.digest = ?").first(digest.bytes, read: key)
    }

    static func find(_ id: APIKeyID, _ db: any SQLConnection) throws -> APIKey? {
        try db.statement("\(columns) WHERE k.id = ?").first(id, read: key)
    }

    static func all(of organization: OrganizationID, _ db: any SQLConnection) throws -> [APIKey] {
        try db.statement("\(columns) WHERE o.id = ? ORDER BY k.id").all(organization.description, read: key)
    }

    /// The keys behind the one with the id `last`.
    static func page(
        of organization: Int64, after last: APIKeyID?, limit: Int, _ db: any SQLConnection
    ) throws -> [APIKey] {
        let first = db.dialect.first("k.organization")
        return try db.statement("\(columns) WHERE \(first.condition) AND k.id > ? ORDER BY \(first.order)k.id LIMIT ?")
            .all(organization, last.map { Int64($0.rawValue) } ?? 0, limit, read: key)
    }

    static func insert(
        _ new: NewAPIKey,
        of organization: OrganizationID,
        number: Int64,
        at now: Timestamp,
        _ writing: WriteContext
    ) throws -> APIKey {
        let key = APIKey(
            id: writing.makeID(.apiKeys, at: now),
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
    static func note(_ id: APIKeyID, usedAt time: Timestamp, _ db: any SQLConnection) throws {
        try db.statement(
            """
            UPDATE access_keys SET last_used_at = ?
            WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ? OR last_used_at > ?)
            """
        ).run(time, id, time, time.advanced(by: Timestamp.toleratedLead))
    }

    /// - Throws: ``RowError/unreadableKey(_:)``
    private static func key(_ row: SQLRow) throws -> APIKey {
        let id = try row.id(0, APIKeyID.self)
        let found = try row.ifReadable {
            APIKey(
                id: id,
                organization: try OrganizationID(row.text(1)),
                name: row.text(2),
                scopes: Set(bits: row.integer(3)),
                lastUsedAt: row.optionalTimestamp(4)
            )
        }
        guard let found else { throw RowError.unreadableKey(id) }
        return found
    }
}

extension APIKeyID: SQLBindable {}
