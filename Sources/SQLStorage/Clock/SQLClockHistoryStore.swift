package import Identifiers
import SQL
package import StoragePorts

/// The faults of the clock, in a database.
package struct SQLClockHistoryStore: ClockHistoryStore {
    private let database: any SQLDatabase

    init(_ database: any SQLDatabase) { self.database = database }

    package func clockHistory() async throws -> ClockHistory {
        try await database.read { db in
            ClockHistory(faults: try Self.faults(db), note: db.dialect.hasSeveralWriters ? nil : try Self.note(db))
        }
    }

    package func store(_ change: ClockHistory.Change) async throws -> ClockFaults {
        try await database.write { writing in
            let db = writing.db
            let before = try Self.faults(db)
            var faults = before
            if let end = change.endedAt { faults.end(at: end) }
            faults.add(change.faults)
            if faults != before { try Self.replace(faults, db) }
            if let note = change.note, !db.dialect.hasSeveralWriters { try Self.replace(note, db) }
            return faults
        }
    }

    private static func faults(_ db: any SQLConnection) throws -> ClockFaults {
        ClockFaults(
            try db.statement("SELECT since, until, lead FROM clock_faults ORDER BY since").all { row in
                ClockFault(lead: .milliseconds(row.integer(2)), since: row.timestamp(0), until: row.timestamp(1))
            })
    }

    private static func replace(_ faults: ClockFaults, _ db: any SQLConnection) throws {
        try db.statement("DELETE FROM clock_faults").run()
        let insert = try db.statement("INSERT INTO clock_faults (since, until, lead) VALUES (?, ?, ?)")
        for fault in faults.all { try insert.run(fault.since, fault.until, fault.lead.wholeMilliseconds) }
    }

    private static func note(_ db: any SQLConnection) throws -> ClockNote? {
        try db.statement("SELECT boot, difference, suspect_since FROM clock_note").first { row in
            ClockNote(boot: row.text(0), difference: row.integer(1), suspectSince: row.integer(2))
        }
    }

    private static func replace(_ note: ClockNote, _ db: any SQLConnection) throws {
        try db.statement("DELETE FROM clock_note").run()
        try db.statement("INSERT INTO clock_note (boot, difference, suspect_since) VALUES (?, ?, ?)")
            .run(note.boot, note.difference, note.suspectSince)
    }
}
