import Identifiers
import SQL
import StoragePorts

/// Stores the requests that had an effect, inside the write that has the effect.
enum RequestRow {
    /// A row of any age counts as long as it exists. Only retention deletes it, and only while the clock is trusted.
    static func find(_ key: [UInt8], _ db: any SQLConnection) throws -> IdempotencyRecord? {
        try db.statement("SELECT body, first, last, is_new FROM requests WHERE key = ?")
            .first(key) { row in
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
    static func requireFree(_ fingerprint: IdempotencyFingerprint?, _ writing: WriteContext) throws {
        guard let fingerprint, try find(fingerprint.key, writing.db) != nil else { return }
        throw IdempotencyKeyTaken()
    }

    /// Must be called after the effect, in the same write.
    static func insert(
        _ fingerprint: IdempotencyFingerprint?, _ effect: RequestEffect, at now: Timestamp, _ writing: WriteContext
    )
        throws
    {
        guard let fingerprint else { return }
        try writing.db
            .statement("INSERT INTO requests (key, body, made_at, first, last, is_new) VALUES (?, ?, ?, ?, ?, ?)")
            .run(
                fingerprint.key,
                fingerprint.body,
                now,
                Int64(effect.first.rawValue),
                Int64(effect.last.rawValue),
                effect.isNew
            )
    }

    /// When the oldest was made; `nil` if there is none.
    static func oldest(_ db: any SQLConnection) throws -> Timestamp? {
        try db.statement("SELECT made_at FROM requests ORDER BY made_at LIMIT 1").first { $0.timestamp(0) }
    }

    /// Deletes up to `limit` rows that were made at `instant` or before, the oldest first.
    /// - Returns: how many.
    static func forget(madeUntil instant: Timestamp, limit: Int, _ db: any SQLConnection) throws -> Int {
        try db.statement(
            """
            DELETE FROM requests WHERE number IN (
                SELECT number FROM requests WHERE made_at <= ? ORDER BY made_at LIMIT ?
            )
            """
        ).changes(instant, limit)
    }
}
