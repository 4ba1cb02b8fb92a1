import Consent
import Identifiers
import PostgresClient
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import PostgresStorage

@Suite struct NumberFindingsTests {
    @Test("the database with the oldest transactions is named once they are older than the limit")
    func age() async throws {
        let fixture = try await PostgresFixture()
        let connection = try PostgresConnection(fixture.settings.location, password: nil)
        defer { connection.close() }
        let findings = try PostgresCheck.ageFindings(connection, limit: 0)
        guard case .oldTransactions(let database, let age)? = findings.first, findings.count == 1 else {
            Issue.record("\(findings)")
            return
        }
        #expect(age > 0)
        #expect(findings[0].remedy.contains(database))
        #expect(!findings[0].isFatal)
        #expect(try PostgresCheck.ageFindings(connection, limit: PostgresCheck.oldAge).isEmpty)
        #expect(try await PostgresCheck.numberFindings(fixture.settings).isEmpty)
    }

    @Test(
        "a greatest number that no node makes is named, passed over at a start, and replaced by the next write",
        arguments: [Int64.max, Int64(TimeOrderedNumber.endOfMade), -1])
    func forged(_ latest: Int64) async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try fixture.close()
        let connection = try PostgresConnection(fixture.settings.location, password: nil)
        defer { connection.close() }
        try connection.run(script: "UPDATE writer SET latest = \(latest)")
        #expect(
            try await PostgresCheck.numberFindings(fixture.settings) == [
                .forgedNumber(column: "latest", latest)
            ])
        let (storage, reopened) = try fixture.open()
        try await storage.askTime()
        let record = try await reopened.record(.given, for: .ana)
        #expect(record.id.rawValue < TimeOrderedNumber.endOfMade)
        #expect(record.recordedAt == .noon)
        try fixture.close()
        #expect(try await PostgresCheck.numberFindings(fixture.settings).isEmpty)
    }

    @Test("an end of the feed of rules that no node reaches is named, with what sets it", arguments: [-1, Int64.max])
    func forgedPosition(_ position: Int64) async throws {
        let fixture = try await PostgresFixture()
        let connection = try PostgresConnection(fixture.settings.location, password: nil)
        defer { connection.close() }
        try connection.run(script: "UPDATE writer SET feed_position = \(position)")
        let findings = try await PostgresCheck.numberFindings(fixture.settings)
        #expect(findings == [.forgedNumber(column: "feed_position", position)])
        #expect(findings.first?.isFatal == false)
        #expect(findings.first?.remedy.contains("UPDATE writer SET") == true)
    }

    @Test("a sequence that gives numbers of before is named, with what sets it")
    func sequence() async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try await ports.record(.given, for: .ana)
        try fixture.close()
        #expect(try await PostgresCheck.numberFindings(fixture.settings).isEmpty)
        let connection = try PostgresConnection(fixture.settings.location, password: nil)
        defer { connection.close() }
        let greatest = try connection.statement("SELECT max(number) FROM recipients").first { $0.integer(0) } ?? 0
        try connection.run(script: "ALTER TABLE recipients ALTER number RESTART WITH 1")
        let findings = try await PostgresCheck.numberFindings(fixture.settings)
        #expect(findings == [.sequenceBehind(table: "recipients", column: "number", next: 1, greatest: greatest)])
        #expect(findings.first?.isFatal == false)
        let (_, reopened) = try fixture.open()
        let error = await #expect(throws: (any Error).self) {
            try await reopened.record(.given, for: RecipientID("person-2"))
        }
        #expect("\(error as Any)".contains("recipients"))
        try fixture.close()
        let setting = try connection.statement("SELECT setval(pg_get_serial_sequence('recipients', 'number'), ?)")
        #expect(try setting.first(greatest) { $0.integer(0) } == greatest)
        #expect(try await PostgresCheck.numberFindings(fixture.settings).isEmpty)
    }
}
