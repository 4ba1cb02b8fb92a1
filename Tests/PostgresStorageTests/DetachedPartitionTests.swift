import Consent
import Identifiers
import PostgresClient
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import PostgresStorage

/// A partition whose rows the service does not find, because it was detached, is found and comes back.
@Suite struct DetachedPartitionTests {
    @Test(
        "a partition that was detached is attached again with the statement in the remedy",
        arguments: MonthlyPartitions.logs)
    func detached(_ log: String) async throws {
        let fixture = try await PostgresFixture()
        _ = try fixture.open()
        try fixture.close()
        let month = "\(log)_\(MonthlyPartitions.Month(of: .noon))"
        try await fixture.run("ALTER TABLE \(log) DETACH PARTITION \(month)")
        let found = try #require(try await fixture.alterations().first)
        #expect(found == .altered(table: month, .detached(from: log)))
        let statement = try #require(found.remedy.split(separator: "Then: ").last)
        try await fixture.run(String(statement))
        #expect(try await fixture.alterations().isEmpty)
    }

    @Test("a partition that was detached and renamed comes back with the statements in the remedy")
    func renamed() async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        let decision = try await ports.decide([(.ana, .noConsentRecord)], of: ports.message())[0]
        try fixture.close()
        let month = "decisions_\(MonthlyPartitions.Month(of: .noon))"
        try await fixture.run("ALTER TABLE decisions DETACH PARTITION \(month)")
        try await fixture.run("ALTER TABLE \(month) RENAME TO old")
        let found = try #require(try await fixture.alterations().first)
        #expect(found == .altered(table: "old", .renamed(month)))
        #expect(throws: UnsafeDatabase.self) { _ = try fixture.open() }
        try await fixture.run(String(try #require(found.remedy.split(separator: "Then: ").last)))
        #expect(try await fixture.alterations().isEmpty)
        let (_, reopened) = try fixture.open()
        #expect(try await reopened.decisions.decision(decision.id, in: ports.acme) != nil)
        try fixture.close()
    }

    @Test("a partition that is being detached concurrently is found, and comes back")
    func detaching() async throws {
        let fixture = try await PostgresFixture()
        _ = try fixture.open()
        try fixture.close()
        let month = "decisions_\(MonthlyPartitions.Month(of: .noon))"
        // PostgreSQL does not detach concurrently beside a default partition.
        try await fixture.run("ALTER TABLE decisions DETACH PARTITION decisions_rest")
        let reader = try PostgresConnection(fixture.settings.location, password: nil)
        try reader.run(script: "BEGIN; SELECT FROM decisions")
        // The statement waits for the reader, until it is canceled.
        async let isBrokenOff = PostgresSchema.withConnection(fixture.settings) { connection in
            do {
                try connection.run(script: "ALTER TABLE decisions DETACH PARTITION \(month) CONCURRENTLY")
                return false
            } catch is PostgresError { return true }
        }
        #expect(try await eventually { try await isDetaching(fixture) })
        try await fixture.run(
            """
            SELECT pg_cancel_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'ALTER TABLE decisions DETACH PARTITION % CONCURRENTLY'
            """)
        #expect(try await isBrokenOff)
        reader.close()
        try await fixture.run("ALTER TABLE decisions ATTACH PARTITION decisions_rest DEFAULT")
        let found = try #require(try await fixture.alterations().first)
        #expect(found == .altered(table: month, .detaching(from: "decisions")))
        #expect(throws: UnsafeDatabase.self) { _ = try fixture.open() }
        try await fixture.run(String(try #require(found.remedy.split(separator: "Then: ").last)))
        #expect(try await fixture.alterations() == [.altered(table: month, .detached(from: "decisions"))])
    }

    /// Whether a partition is marked as one that is being detached.
    private func isDetaching(_ fixture: PostgresFixture) async throws -> Bool {
        try await PostgresSchema.withConnection(fixture.settings) { connection in
            try connection.statement("SELECT 1 FROM pg_inherits WHERE inhdetachpending").first { _ in true } ?? false
        }
    }
}
