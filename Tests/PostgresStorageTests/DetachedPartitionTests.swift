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
        try await run("ALTER TABLE \(log) DETACH PARTITION \(month)", on: fixture)
        let found = try #require(try await alterations(fixture).first)
        #expect(found == .altered(table: month, .detached(from: log)))
        let statement = try #require(found.remedy.split(separator: "Then: ").last)
        try await run(String(statement), on: fixture)
        #expect(try await alterations(fixture).isEmpty)
    }

    @Test("a partition that was detached and renamed comes back with the statements in the remedy")
    func renamed() async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        let decision = try await ports.decide([(.ana, .noConsentRecord)], of: ports.message())[0]
        try fixture.close()
        let month = "decisions_\(MonthlyPartitions.Month(of: .noon))"
        try await run("ALTER TABLE decisions DETACH PARTITION \(month)", on: fixture)
        try await run("ALTER TABLE \(month) RENAME TO old", on: fixture)
        let found = try #require(try await alterations(fixture).first)
        #expect(found == .altered(table: "old", .renamed(month)))
        #expect(throws: UnsafeDatabase.self) { _ = try fixture.open() }
        try await run(String(try #require(found.remedy.split(separator: "Then: ").last)), on: fixture)
        #expect(try await alterations(fixture).isEmpty)
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
        try await run("ALTER TABLE decisions DETACH PARTITION decisions_rest", on: fixture)
        let reader = try PostgresConnection(fixture.settings.location, password: nil)
        try reader.run(script: "BEGIN; SELECT FROM decisions")
        try await PostgresSchema.withConnection(fixture.settings) { connection in
            // The statement waits for the reader, and breaks off.
            try connection.statement("SET statement_timeout = '1s'").run()
            #expect(throws: PostgresError.self) {
                try connection.run(script: "ALTER TABLE decisions DETACH PARTITION \(month) CONCURRENTLY")
            }
        }
        reader.close()
        try await run("ALTER TABLE decisions ATTACH PARTITION decisions_rest DEFAULT", on: fixture)
        let found = try #require(try await alterations(fixture).first)
        #expect(found == .altered(table: month, .detaching(from: "decisions")))
        #expect(throws: UnsafeDatabase.self) { _ = try fixture.open() }
        try await run(String(try #require(found.remedy.split(separator: "Then: ").last)), on: fixture)
        #expect(try await alterations(fixture) == [.altered(table: month, .detached(from: "decisions"))])
    }

    private func alterations(_ fixture: PostgresFixture) async throws -> [DatabaseFinding] {
        try await PostgresSchema.withConnection(fixture.settings) { try PostgresCheck.alteredFindings($0) }
    }

    private func run(_ script: String, on fixture: PostgresFixture) async throws {
        try await PostgresSchema.withConnection(fixture.settings) { connection in try connection.run(script: script) }
    }
}
