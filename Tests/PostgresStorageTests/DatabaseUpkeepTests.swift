import Consent
import Identifiers
import PostgresClient
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import PostgresStorage

@Suite struct DatabaseUpkeepTests {
    @Test("old write tokens go, and those that somebody may ask for stay")
    func tokens() async throws {
        try await withConnection { db in
            for (token, age) in [(1, "2 hours"), (2, "61 minutes"), (3, "59 minutes"), (4, "0 minutes")] {
                try db.statement(
                    "INSERT INTO write_tokens (token, made_at) VALUES (?, now() - interval '\(age)')"
                ).run([UInt8(token)])
            }
            func left() throws -> [[UInt8]] {
                try db.statement("SELECT token FROM write_tokens ORDER BY token").all { $0.bytes(0) }
            }
            let now = try DatabaseUpkeep.forget(db)
            #expect(try left().count == 4, "the server's clock may be wrong")
            _ = try DatabaseUpkeep.forget(db, seenAt: now - 90 * 60_000_000)
            #expect(try left() == [[2], [3], [4]], "the second may have been made since the call before")
            _ = try DatabaseUpkeep.forget(db, seenAt: now)
            #expect(try left() == [[3], [4]])
        }
    }

    @Test("the parts of this month and of the next three are there, once, and a row goes into that of its time")
    func partitions() async throws {
        try await withConnection { db in
            try MonthlyPartitions.make(now: .noon, db)
            try MonthlyPartitions.make(now: .noon, db)
            let month = MonthlyPartitions.Month(of: .noon)
            let months = (0...3).map { "decisions_\(month.advanced(by: $0))" }
            #expect(try parts(db) == months + ["decisions_rest"])
            let insert = try db.statement(
                "INSERT INTO decisions (id, organization, message, reason, enforcement) VALUES (?, 1, 1, 1, 1)")
            for id in [month.firstID, month.advanced(by: 1).firstID - 1, month.advanced(by: 3).firstID, 5] {
                try insert.run(id)
            }
            let parts = try db.statement("SELECT tableoid::regclass::text FROM decisions ORDER BY id").all {
                $0.text(0)
            }
            #expect(parts == ["decisions_rest", months[0], months[0], months[3]])
        }
    }

    @Test("while a log is read a service starts and writes; the parts are made when the reading has ended")
    func partitionsOfWhatIsRead() async throws {
        let fixture = try await PostgresFixture()
        _ = try fixture.open()
        try fixture.close()
        let connection = try PostgresConnection(fixture.settings.location, password: nil)
        let all = try parts(connection)
        // As in a service that was away for a month.
        try connection.run(script: "DROP TABLE \(all[3])")
        let reader = try PostgresConnection(fixture.settings.location, password: nil)
        try reader.begin(.snapshot)
        try reader.statement("SELECT count(*) FROM decisions").first { _ in }
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try await ports.record(.withdrawn, for: .ana)
        #expect(throws: PostgresError.self) {
            try DatabaseUpkeep.makeParts(fixture.settings, of: PostgresFixture.tenant, at: .noon)
        }
        #expect(try parts(connection).count == all.count - 1)
        reader.rollBack()
        try DatabaseUpkeep.makeParts(fixture.settings, of: PostgresFixture.tenant, at: .noon)
        #expect(try parts(connection) == all)
        try fixture.close()
    }

    private func parts(_ db: any SQLConnection) throws -> [String] {
        try db.statement(
            """
            SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = 'decisions'::regclass ORDER BY 1
            """
        ).all { $0.text(0) }
    }

    @Test("a database grows by what is written into it")
    func size() async throws {
        try await withConnection { db in
            let before = try DatabaseUpkeep.databaseSize(db)
            try db.statement("INSERT INTO write_tokens SELECT sha256(n::text::bytea) FROM generate_series(1, 9999) n")
                .run()
            #expect(try DatabaseUpkeep.databaseSize(db) > before + 300_000 && before > 1_000_000)
        }
    }

    @Test("a month begins and ends with its days, over the end of a year too")
    func months() throws {
        let december = MonthlyPartitions.Month(of: try Timestamp(rfc3339: "2026-12-31T23:59:59.999Z"))
        #expect("\(december)" == "2026_12")
        #expect("\(december.advanced(by: 1))" == "2027_01")
        let january = try Timestamp(rfc3339: "2027-01-01T00:00:00Z")
        #expect(december.advanced(by: 1).firstID == Int64(TimeOrderedNumber.lowerBound(at: january)))
        #expect(MonthlyPartitions.Month(of: january) == december.advanced(by: 1))
    }

    private func withConnection(_ body: (PostgresConnection) throws -> Void) async throws {
        let fixture = try await PostgresFixture()
        let connection = try PostgresConnection(fixture.settings.location, password: nil)
        try body(connection)
        connection.close()
    }
}
