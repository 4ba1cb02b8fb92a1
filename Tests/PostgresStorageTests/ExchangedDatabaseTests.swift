import Consent
import Identifiers
import Ledger
import Organizations
import PostgresClient
import PostgresServer
import SQL
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import PostgresStorage

/// A database that is exchanged, emptied or restored while a service runs is not used until it is the folder's again.
@Suite struct ExchangedDatabaseTests {
    @Test("after two databases have changed names, nothing is read from the other one and nothing written to it")
    func otherFolder() async throws {
        let (fixture, other) = (try await PostgresFixture(), try await PostgresFixture())
        try await run("UPDATE folder SET id = 'another'", on: other)
        let (storage, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try await ports.record(.given, for: .ana)
        try swap(fixture, other)
        let why = OtherFolder().description
        #expect(await refusal { try await ports.record(.withdrawn, for: .ana) } == why)
        #expect(await refusal { _ = try await ports.consents.history(of: .ana, in: ports.acme) } == why)
        #expect(await refusal { _ = try await ports.consents.newestRecord() } == why)
        let beginning = RuleCursor(position: 0, mark: 0)
        #expect(await refusal { _ = try await ports.rules.poll(after: beginning) } == why)
        #expect(storage.status == .unusable(why))
        // `other` has the name of the first one now, and the other way round.
        try await run("DO $$ BEGIN ASSERT (SELECT count(*) FROM write_tokens) = 0; END $$", on: fixture)
        try swap(fixture, other)
        try await isUsedAgain(storage, ports)
        try fixture.close()
    }

    /// What happens to a database, how it is undone, and what is said meanwhile.
    struct Change: Sendable, CustomTestStringConvertible {
        let made: String
        let undone: String
        let why: String
        var testDescription: String { made }
    }

    @Test(
        "a new connection to a database without its note, or to one that is being restored, is not used",
        arguments: [
            Change(
                made: "ALTER TABLE folder RENAME TO kept", undone: "ALTER TABLE kept RENAME TO folder",
                why: EmptiedDatabase().description),
            Change(
                made: "CREATE TABLE kept AS SELECT * FROM folder; DELETE FROM folder",
                undone: "INSERT INTO folder SELECT * FROM kept", why: EmptiedDatabase().description),
            Change(
                made: "CREATE TABLE kept AS SELECT * FROM writer; DELETE FROM writer",
                undone: "INSERT INTO writer SELECT * FROM kept", why: IncompleteDatabase().description),
            Change(
                made: "ALTER TABLE writer DROP CONSTRAINT writer_pkey",
                undone: "ALTER TABLE writer ADD PRIMARY KEY (one)", why: IncompleteDatabase().description),
        ])
    func newConnection(_ change: Change) async throws {
        let fixture = try await PostgresFixture()
        let (storage, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try await ports.record(.given, for: .ana)
        try await run(change.made, on: fixture)
        try await run(Self.ending(try name(of: fixture)), on: fixture)
        #expect(await refusal { try await ports.record(.withdrawn, for: .ana) } == change.why)
        #expect(await refusal { _ = try await ports.consents.newestRecord() } == change.why)
        #expect(storage.status == .unusable(change.why))
        try await run(change.undone, on: fixture)
        try await isUsedAgain(storage, ports)
        try fixture.close()
    }

    @Test("a database that is emptied under open connections takes no write, and confirms nothing")
    func openConnection() async throws {
        let fixture = try await PostgresFixture()
        let (storage, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try await ports.record(.given, for: .ana)
        _ = try await ports.consents.newestRecord()
        try await run("CREATE TABLE kept AS SELECT * FROM folder; TRUNCATE folder", on: fixture)
        let why = EmptiedDatabase().description
        #expect(await refusal { _ = try await ports.consents.newestRecord() } == why)
        #expect(await refusal { try await ports.record(.withdrawn, for: .ana) } == why)
        try await run("INSERT INTO folder SELECT * FROM kept", on: fixture)
        try await isUsedAgain(storage, ports)
        try fixture.close()
    }

    @Test(
        "the number of an organization that an earlier state does not have may be another one's in that state",
        arguments: [1, 3])
    func numberOfAnother(_ records: Int) async throws {
        let fixture = try await PostgresFixture()
        try await fixture.open().1.makeOrganizations()
        try fixture.close()
        let copy = try PostgresServer.shared.makeDatabase(like: fixture.settings.location)
        let earlier = PostgresFixture(settings: PostgresSettings(location: copy, password: nil, durability: .local))
        let (_, ports) = try fixture.open()
        try await fill("gone", records: records, ports)
        let (_, others) = try earlier.open()
        let come = try await fill("come", records: 1, others)
        let head = try await others.ledgers.head(of: come)
        #expect(head?.head.size == 2)
        try earlier.close()
        try swap(fixture, earlier)
        #expect(try await ports.ledgers.head(of: come) == head)
        var position: LedgerCheckPosition? = .start
        while let next = position {
            let step = try await ports.ledgers.check(from: next)
            #expect(step.finding == nil)
            position = step.next
        }
        try fixture.close()
    }

    /// Makes an organization with consents. Its ledger has one entry more than there are consents.
    @discardableResult
    private func fill(_ name: String, records: Int, _ ports: StorageUnderTest) async throws -> OrganizationID {
        let id = try OrganizationID(name)
        let made = Organization(id: id, name: name, enforcement: .restrictive, retention: .forever)
        _ = try await ports.organizations.create(made, firstKey: StorageUnderTest.key(9), at: .noon)
        for number in 0..<records { try await ports.record(.given, for: RecipientID("person\(number)"), in: id) }
        return id
    }

    private func isUsedAgain(_ storage: PostgresStorage, _ ports: StorageUnderTest) async throws {
        await storage.retryIfFull()
        #expect(storage.status == .working)
        try await ports.record(.withdrawn, for: .ana)
        #expect(try await ports.consents.history(of: .ana, in: ports.acme).map(\.state) == [.given, .withdrawn])
    }

    private func refusal(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return DatabaseOwner.refusal(error)
        }
    }

    private func name(of fixture: PostgresFixture) throws -> String {
        try #require(fixture.settings.location.database)
    }

    private func run(_ script: String, on fixture: PostgresFixture) async throws {
        try await PostgresSchema.withConnection(fixture.settings) { connection in try connection.run(script: script) }
    }

    private static func ending(_ database: String) -> String {
        """
        SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = '\(database)' AND pid <> pg_backend_pid() AND backend_type = 'client backend'
        """
    }

    /// Gives each of two databases the name of the other one.
    private func swap(_ one: PostgresFixture, _ two: PostgresFixture) throws {
        let names = try [one, two].map { try name(of: $0) }
        let server = try PostgresConnection(
            try PostgresLocation("postgres://test@/postgres?host=\(PostgresServer.shared.folder)"), password: nil)
        defer { server.close() }
        for name in names {
            try server.run(script: "ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
            try server.run(script: Self.ending(name))
        }
        try server.run(
            script: """
                ALTER DATABASE \(names[0]) RENAME TO between;
                ALTER DATABASE \(names[1]) RENAME TO \(names[0]);
                ALTER DATABASE between RENAME TO \(names[1]);
                """)
        for name in names { try server.run(script: "ALTER DATABASE \(name) ALLOW_CONNECTIONS true") }
    }
}
