import GRDB
package import Interactions
import SQL
import SQLiteFiles

/// The occurrences that are set aside. They have ids already, and keep them.
extension SQLiteClickSpool {
    package func park(_ occurrences: [SpooledOccurrence], at position: SpoolPosition) throws {
        try exclusively { db in
            try moveUnreadable(at: position, db)
            try db.statement("DELETE FROM parked WHERE position = ?").run(position.rawValue)
            for certainty in SpooledOccurrence.Certainty.allCases {
                let some = occurrences.filter { $0.certainty == certainty }
                guard !some.isEmpty else { continue }
                try db.statement("INSERT INTO parked (position, is_unjudged, content) VALUES (?, ?, ?)")
                    .run(position.rawValue, certainty.rawValue, OccurrenceBatch.encode(some, certainty))
            }
        }
    }

    package func parked(after position: SpoolPosition) throws -> SpoolReading? {
        try reading { db in
            var occurrences: [SpooledOccurrence] = []
            var (first, unreadableCount) = (Int64?.none, 0)
            try db.statement("SELECT position, content FROM parked WHERE position > ? ORDER BY position")
                .forEach(position.rawValue) { row in
                    guard first == nil || first == row.integer(0) else { return false }
                    first = row.integer(0)
                    do {
                        try OccurrenceBatch.decode(row.bytes(1), appendingTo: &occurrences)
                    } catch {
                        unreadableCount += 1
                    }
                    return true
                }
            return first.map {
                SpoolReading(
                    occurrences: occurrences, position: SpoolPosition(rawValue: $0), unreadableCount: unreadableCount)
            }
        }
    }

    /// Moves batches that were damaged since they were set aside to the others that cannot be read. They get positions
    /// below zero there: up to three of them have the same position, and a batch of the queue may have it, too.
    private func moveUnreadable(at position: SpoolPosition, _ db: Database) throws {
        var damaged: [[UInt8]] = []
        try db.statement("SELECT content FROM parked WHERE position = ?").forEach(position.rawValue) { row in
            let content = row.bytes(0)
            var occurrences: [SpooledOccurrence] = []
            do {
                try OccurrenceBatch.decode(content, appendingTo: &occurrences)
            } catch {
                damaged.append(content)
            }
            return true
        }
        for content in damaged {
            try db.statement(
                """
                INSERT INTO unreadable (position, content)
                SELECT min(coalesce(min(position), 0), 0) - 1, ? FROM unreadable
                """
            ).run(content)
        }
    }
}
