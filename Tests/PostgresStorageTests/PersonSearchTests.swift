import Cryptography
import Identifiers
import Interactions
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import PostgresStorage
@testable import SQLStorage

/// What one person did, read where rows stand by person and message.
@Suite struct PersonSearchTests {
    private static let count = 600

    @Test("in many readings it finds what it finds in one, in the order of storing, each of a bounded number of rows")
    func bounded() async throws {
        let fixture = try await PostgresFixture()
        let (_, ports) = try fixture.open()
        try await ports.makeOrganizations()
        let (messages, anas) = try await fill(ports)
        let ana = try RecipientID.ana
        for query in [
            InteractionQuery(recipient: ana), InteractionQuery(recipient: ana, automated: true),
            InteractionQuery(recipient: ana, message: messages[1]),
            InteractionQuery(recipient: ana, message: messages[0], kind: .pushLinkClicked, isFirst: true),
        ] {
            for limit in [3, 50, 9999] {
                let whole = try await all(query, limit: limit, rowsAtOnce: 100_000, fixture, ports)
                #expect(whole.readings == 1)
                let parts = try await all(query, limit: limit, rowsAtOnce: 20, fixture, ports)
                #expect(parts.ids == whole.ids, "\(query) \(limit)")
            }
        }
        let everything = try await all(InteractionQuery(recipient: ana), limit: 9999, rowsAtOnce: 20, fixture, ports)
        #expect(everything.ids == anas)
        let never = InteractionQuery(recipient: ana, to: .distantPast)
        let nothing = try await all(never, limit: 9, rowsAtOnce: 20, fixture, ports)
        #expect(nothing.ids.isEmpty)
        #expect(nothing.readings >= anas.count / 20, "\(nothing.readings) readings of \(anas.count) rows")
        try fixture.close()
    }

    /// Interactions of every kind of ana and bo with three messages, stored in the order of their ids.
    /// - Returns: the messages, and the ids of ana's interactions.
    private func fill(_ ports: StorageUnderTest) async throws -> (messages: [MessageID], ids: [Int64]) {
        var random = SeededGenerator(seed: 11)
        let messages = [
            try await ports.message(), try await ports.message("autumn"), try await ports.message("winter"),
        ]
        let ana = try await ports.reference(of: .ana, message: messages[0])
        let bo = try await ports.reference(of: .bo, message: messages[0])
        let done = (0..<Self.count).compactMap { _ in Occurrence.random(of: messages, by: [ana, bo], &random) }
        let spooled = done.enumerated().map { $1.spooled(UInt64($0 + 1)) }
        try await ports.interactions.store(spooled, at: .noon)
        return (messages, spooled.filter { $0.occurrence.recipient == ana }.map { Int64($0.id.rawValue) })
    }

    private func all(
        _ query: InteractionQuery, limit: Int, rowsAtOnce: Int, _ fixture: PostgresFixture, _ ports: StorageUnderTest
    ) async throws -> (ids: [Int64], readings: Int) {
        let hasher = RecipientHasher(key: PostgresFixture.erasureKey)
        let acme = ports.acme
        let hash = try query.recipient.map { try hasher.person(named: $0, in: acme, by: .email).hash }
        return try await PostgresSchema.withConnection(fixture.settings) { db in
            let row = try OrganizationRow.require(acme, db)
            var (found, start, readings): ([Int64], Int64?, Int) = ([], nil, 0)
            repeat {
                let search = InteractionSearch(
                    query, organization: row.number, limit: limit - found.count, rowsAtOnce: rowsAtOnce)
                let reading = try search.read(person: hash, from: start, db)
                found += reading.ids
                start = reading.next
                readings += 1
            } while start != nil
            return (found, readings)
        }
    }
}
