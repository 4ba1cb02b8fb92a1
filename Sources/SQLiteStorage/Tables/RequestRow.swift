import GRDB
import Identifiers
import Organizations
import SQLiteFiles

/// Requests that had their effect, inside the write that has it.
enum RequestRow {
    /// How many of those that are too old one write removes. More than one, so that they do not become more and more.
    private static let removedAtOnce = 4

    static func find(_ key: [UInt8], at now: Timestamp, _ db: Database) throws -> IdempotencyRecord? {
        try db.statement("SELECT body, first, last, is_new FROM requests WHERE key = ? AND made_at > ?")
            .first(key, now.advanced(byMilliseconds: -IdempotencyRecord.span)) { row in
                guard let first = TimeOrderedNumber(rawValue: UInt64(bitPattern: row.integer(1))),
                    let last = TimeOrderedNumber(rawValue: UInt64(bitPattern: row.integer(2)))
                else { throw StorageError.unreadable }
                return IdempotencyRecord(
                    mark: IdempotencyFingerprint(key: key, body: row.bytes(0)),
                    effect: RequestEffect(first: first, last: last, isNew: row.bool(3))
                )
            }
    }

    /// To be called before the effect.
    /// - Throws: `IdempotencyKeyTaken`
    static func requireFree(_ mark: IdempotencyFingerprint?, at now: Timestamp, _ writing: Writing) throws {
        guard let mark, try find(mark.key, at: now, writing.db) != nil else { return }
        throw IdempotencyKeyTaken()
    }

    /// To be called after the effect, in the same write.
    static func insert(_ mark: IdempotencyFingerprint?, _ effect: RequestEffect, at now: Timestamp, _ writing: Writing)
        throws
    {
        guard let mark else { return }
        let db = writing.db
        // One of the same key can only be too old.
        try db.statement("DELETE FROM requests WHERE key = ?").run(mark.key)
        try db.statement("INSERT INTO requests (key, body, made_at, first, last, is_new) VALUES (?, ?, ?, ?, ?, ?)")
            .run(
                mark.key,
                mark.body,
                now,
                Int64(effect.first.rawValue),
                Int64(effect.last.rawValue),
                effect.isNew
            )
        try db.statement(
            """
            DELETE FROM requests WHERE number IN (
                SELECT number FROM requests WHERE made_at <= ? ORDER BY made_at LIMIT ?
            )
            """
        ).run(now.advanced(byMilliseconds: -IdempotencyRecord.span), removedAtOnce)
    }
}
