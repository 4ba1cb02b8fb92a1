import Identifiers
import SQL
import StoragePorts

/// Stores the requests that had an effect, inside the write that has the effect.
enum RequestRow {
    /// How many expired rows one write removes. It is more than one, so that the number of expired rows does not grow.
    private static let removedAtOnce = 4

    static func find(_ key: [UInt8], at now: Timestamp, _ db: any SQLConnection) throws -> IdempotencyRecord? {
        try db.statement("SELECT body, first, last, is_new FROM requests WHERE key = ? AND made_at > ?")
            .first(key, now - IdempotencyRecord.lifetime) { row in
                guard let first = TimeOrderedNumber(rawValue: UInt64(bitPattern: row.integer(1))),
                    let last = TimeOrderedNumber(rawValue: UInt64(bitPattern: row.integer(2)))
                else { throw StorageError.unreadable }
                return IdempotencyRecord(
                    fingerprint: IdempotencyFingerprint(key: key, body: row.bytes(0)),
                    effect: RequestEffect(first: first, last: last, isNew: row.bool(3))
                )
            }
    }

    /// Must be called before the effect.
    /// - Throws: `IdempotencyKeyTaken`
    static func requireFree(_ fingerprint: IdempotencyFingerprint?, at now: Timestamp, _ writing: WriteContext) throws {
        guard let fingerprint, try find(fingerprint.key, at: now, writing.db) != nil else { return }
        throw IdempotencyKeyTaken()
    }

    /// Must be called after the effect, in the same write.
    static func insert(
        _ fingerprint: IdempotencyFingerprint?, _ effect: RequestEffect, at now: Timestamp, _ writing: WriteContext
    )
        throws
    {
        guard let fingerprint else { return }
        let db = writing.db
        // If there is a row with the same key, it has expired.
        try db.statement("DELETE FROM requests WHERE key = ?").run(fingerprint.key)
        try db.statement("INSERT INTO requests (key, body, made_at, first, last, is_new) VALUES (?, ?, ?, ?, ?, ?)")
            .run(
                fingerprint.key,
                fingerprint.body,
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
        ).run(now - IdempotencyRecord.lifetime, removedAtOnce)
    }
}
