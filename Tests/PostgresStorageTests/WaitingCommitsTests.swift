import Consent
import Identifiers
import PostgresClient
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import PostgresStorage

/// A server whose commits wait for a standby that is away.
@Suite struct WaitingCommitsTests {
    @Test("while a commit waits for a standby, further readings fail at once and leave no process on the server")
    func standbyAway() async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        try await ports.record(.given, for: .ana)
        let observer = try PostgresConnection(fixture.settings.location, password: nil)
        try observer.run(script: "ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        defer { Self.reset(observer) }
        try observer.run(script: "SELECT pg_reload_conf()")
        // Processes of the server learn of it one after the other.
        #expect(await eventually { await failure { _ = try await ports.consents.newestRecord() } != nil })
        for _ in 0..<6 {
            let refused = await failure { _ = try await ports.consents.newestRecord() }
            // Without a commit of its own, which would end with `connectionLost` after eight seconds.
            #expect(refused == PostgresError(.unconfirmed))
        }
        #expect(try waiting(observer) == 1)
        #expect(try await ports.consents.history(of: .ana, in: ports.acme).count == 1, "it may be read as it is")
        Self.reset(observer)
        #expect(await eventually { await failure { _ = try await ports.consents.newestRecord() } == nil })
        try await ports.record(.withdrawn, for: .ana)
        #expect(try waiting(observer) == 0)
        observer.close()
        try fixture.close()
    }

    private func failure(_ body: () async throws -> Void) async -> PostgresError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? PostgresError ?? PostgresError(.values)
        }
    }

    private func waiting(_ observer: PostgresConnection) throws -> Int64? {
        try observer.statement(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'"
        ).first { $0.integer(0) }
    }

    private static func reset(_ observer: PostgresConnection) {
        try? observer.run(script: "ALTER SYSTEM RESET synchronous_standby_names")
        try? observer.run(script: "SELECT pg_reload_conf()")
    }
}
