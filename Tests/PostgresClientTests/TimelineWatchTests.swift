import PostgresServer
import SQL
import Synchronization
import Testing

@testable import PostgresClient

/// Connections to a server that was replaced end as soon as one has found the other.
@Suite struct TimelineWatchTests {
    private static func settings() throws -> PostgresSettings {
        PostgresSettings(location: try PostgresServer.shared.makeDatabase(), password: nil, durability: .local)
    }

    private static func select(_ db: PostgresConnection) throws -> Int64? {
        try db.statement("SELECT 41 + ?").first(1) { $0.integer(0) }
    }

    @Test("who waits for a server that was replaced asks the other one")
    func waiting() async throws {
        let settings = try Self.settings()
        let pool = PostgresPool(settings, connections: 1)
        let tries = Atomic(0)
        let isAsking = Atomic(false)
        async let answer = pool.run { db in
            guard tries.add(1, ordering: .relaxed).newValue == 1 else { return try Self.select(db) }
            isAsking.store(true, ordering: .releasing)
            try db.statement("SELECT pg_sleep(30)").first { _ in }
            return nil
        }
        let end = ContinuousClock.now + .seconds(30)
        while !isAsking.load(ordering: .acquiring) {
            try #require(ContinuousClock.now < end)
            try await Task.sleep(for: .milliseconds(5))
        }
        let other = try PostgresConnection(settings.location, password: nil)
        settings.watch.enter(other, on: 1_000)
        #expect(try await answer == 42)
        #expect(tries.load(ordering: .relaxed) == 2)
        pool.close()
        other.close()
    }

    @Test("a connection to the newest server stays, and one that is found on an older one later does no harm")
    func newest() throws {
        let settings = try Self.settings()
        let newest = try PostgresConnection(settings.location, password: nil)
        settings.watch.enter(newest, on: 7)
        let older = try PostgresConnection(settings.location, password: nil)
        settings.watch.enter(older, on: 6)
        let same = try PostgresConnection(settings.location, password: nil)
        settings.watch.enter(same, on: 7)
        #expect(try Self.select(newest) == 42)
        #expect(try Self.select(same) == 42)
        for connection in [newest, older, same] { connection.close() }
    }

    @Test("a connection that its owner has closed or dropped is forgotten")
    func closed() throws {
        let settings = try Self.settings()
        try PostgresConnection(settings.location, password: nil, watch: settings.watch).close()
        _ = try PostgresConnection(settings.location, password: nil, watch: settings.watch)
        #expect(settings.watch.count == 0)
        let kept = try PostgresConnection(settings.location, password: nil, watch: settings.watch)
        #expect(settings.watch.count == 1)
        kept.close()
    }
}
