import GRDB
package import Interactions
import SQL
import SQLiteFiles

/// The occurrences that are set aside. They have ids already, and keep them.
extension SQLiteClickSpool {
    package func park(_ occurrences: [SpooledOccurrence], at position: SpoolPosition) throws {
        try exclusively { db in
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
            var first: Int64?
            try db.statement("SELECT position, content FROM parked WHERE position > ? ORDER BY position")
                .forEach(position.rawValue) { row in
                    guard first == nil || first == row.integer(0) else { return false }
                    first = row.integer(0)
                    // Written by `park`. A batch that was damaged since stays in the file.
                    try? OccurrenceBatch.decode(row.bytes(1), appendingTo: &occurrences)
                    return true
                }
            return first.map { SpoolReading(occurrences: occurrences, position: SpoolPosition(rawValue: $0)) }
        }
    }
}
