import Cryptography
package import Identifiers
package import Organizations
import SQL

/// The sessions of the console in a database. They are not copied to another storage, so users must sign in again
/// there.
package struct SQLSessionStore: SessionStore {
    private let database: any SQLDatabase

    init(_ database: any SQLDatabase) { self.database = database }

    package func add(_ session: ConsoleSession) async throws {
        try await database.write { writing in
            let end = session.madeAt.advanced(by: Timestamp.toleratedLead)
            try writing.db.statement(
                "DELETE FROM sessions WHERE used_at <= ? OR made_at <= ? OR used_at > ? OR made_at > ?"
            ).run(
                session.madeAt - ConsoleSession.idleTime, session.madeAt - ConsoleSession.maximumDuration, end, end)
            try SessionRow.insert(session, writing.db)
            try writing.db.statement(
                """
                DELETE FROM sessions WHERE digest IN (
                    SELECT digest FROM sessions WHERE account = ? AND digest <> ?
                    ORDER BY used_at DESC, digest LIMIT ? OFFSET ?
                )
                """
            ).run(session.account.name, session.digest.bytes, Int64.max, ConsoleSession.maximumCountOfAccount - 1)
        }
    }

    package func session(_ digest: SessionDigest) async throws -> ConsoleSession? {
        // On a server with a standby, a current read costs a write. A forged cookie must not cause one.
        try await database.readCurrent(unless: { $0 == nil }) { db in try SessionRow.find(digest, db) }
    }

    package func sessions(of account: String, at now: Timestamp) async throws -> [ConsoleSession] {
        try await database.read { db in try SessionRow.all(of: account, db) }.filter { $0.isLive(at: now) }
    }

    package func update(_ digest: SessionDigest, usedAt now: Timestamp, confirmedAt confirmed: Timestamp?) async throws
    {
        try await database.write { writing in
            guard let known = try SessionRow.find(digest, writing.db) else { return }
            try writing.db.statement("UPDATE sessions SET used_at = ?, confirmed_at = ? WHERE digest = ?").run(
                max(known.usedAt, now), max(known.confirmedAt, confirmed ?? .distantPast), digest.bytes)
        }
    }

    package func end(_ digest: SessionDigest) async throws -> Bool {
        try await database.write { writing in
            try writing.db.statement("DELETE FROM sessions WHERE digest = ?").changes(digest.bytes) > 0
        }
    }

    package func endAll(of account: String) async throws {
        try await database.write { writing in
            try writing.db.statement("DELETE FROM sessions WHERE account = ?").run(account)
        }
    }

    package func addLink(_ digest: SessionDigest, at now: Timestamp) async throws {
        try await database.write { writing in
            try writing.db.statement("INSERT INTO sign_in_links (digest, made_at) VALUES (?, ?)").run(digest.bytes, now)
        }
    }

    package func takeLink(
        _ digest: SessionDigest, madeAfter oldest: Timestamp, at now: Timestamp
    ) async throws -> Bool {
        // A forged link must not cause a write.
        let isThere = try await database.read { db in
            try db.statement("SELECT made_at FROM sign_in_links WHERE digest = ?").first(digest.bytes) { _ in true }
        }
        guard isThere == true else { return false }
        return try await database.write { writing in
            try writing.db.statement("DELETE FROM sign_in_links WHERE made_at <= ? OR made_at > ?")
                .run(oldest, now.advanced(by: Timestamp.toleratedLead))
            return try writing.db.statement("DELETE FROM sign_in_links WHERE digest = ?").changes(digest.bytes) > 0
        }
    }
}

/// Reads and writes sessions. The column `grants` has the account's grants, and behind them the session's seal, if it
/// has one.
private enum SessionRow {
    private static let seal = "seal:"

    private static let columns = """
        SELECT digest, account, origin, key_digest, grants, made_at, used_at, confirmed_at FROM sessions
        """

    static func insert(_ session: ConsoleSession, _ db: any SQLConnection) throws {
        let (origin, key): (Int64, [UInt8]?) =
            switch session.account.origin {
            case .operatorKey(let digest): (1, digest.bytes)
            case .key(let digest): (2, digest.bytes)
            case .provider: (3, nil)
            }
        let seal = session.seal.isEmpty ? [] : [Self.seal + Hexadecimal.encode(session.seal)]
        let grants = (session.account.grants.map(\.text).sorted() + seal).joined(separator: " ")
        try db.statement(
            """
            INSERT INTO sessions (digest, account, origin, key_digest, grants, made_at, used_at, confirmed_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (digest) DO NOTHING
            """
        ).run(
            session.digest.bytes, session.account.name, origin, key, grants, session.madeAt, session.usedAt,
            session.confirmedAt)
    }

    static func find(_ digest: SessionDigest, _ db: any SQLConnection) throws -> ConsoleSession? {
        try db.statement("\(columns) WHERE digest = ?").first(digest.bytes, read: session) ?? nil
    }

    static func all(of account: String, _ db: any SQLConnection) throws -> [ConsoleSession] {
        try db.statement("\(columns) WHERE account = ? ORDER BY made_at DESC").all(account, read: session)
            .compactMap(\.self)
    }

    /// - Returns: `nil` for a row that this version of the service does not understand: it signs no user in.
    private static func session(_ row: SQLRow) -> ConsoleSession? {
        let origin: ConsoleAccount.Origin
        switch row.integer(2) {
        case 1: origin = .operatorKey(APIKeyDigest(bytes: row.bytes(3)))
        case 2: origin = .key(APIKeyDigest(bytes: row.bytes(3)))
        case 3: origin = .provider
        default: return nil
        }
        var texts = row.text(4).split(separator: " ").map(String.init)
        var seal: [UInt8] = []
        if let last = texts.last, last.hasPrefix(Self.seal) {
            guard let bytes = try? Hexadecimal.decode(last.dropFirst(Self.seal.count)) else { return nil }
            seal = bytes
            texts.removeLast()
        }
        let grants = texts.compactMap(ConsoleGrant.init)
        guard grants.count == texts.count else { return nil }
        return ConsoleSession(
            digest: SessionDigest(bytes: row.bytes(0)),
            account: ConsoleAccount(name: row.text(1), origin: origin, grants: Set(grants)),
            madeAt: row.timestamp(5), usedAt: row.timestamp(6), confirmedAt: row.timestamp(7), seal: seal)
    }
}
