import Cryptography
import GRDB
import Identifiers
import Interactions
import SQL
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// How many rows one snapshot passes over.
@Suite struct InteractionSearchTests {
    private static let count = 600

    /// Interactions of every kind of ana and bo with two messages.
    private func fill(_ fixture: SQLiteFixture) async throws -> [MessageID] {
        var random = SeededGenerator(seed: 11)
        let messages = [try await fixture.ports.message(), try await fixture.ports.message("autumn")]
        var references: [RecipientReference] = []
        for person in [try RecipientID.ana, try .bo] {
            references.append(try await fixture.ports.reference(of: person, message: messages[0]))
        }
        let done = (0..<Self.count).compactMap { _ in Occurrence.random(of: messages, by: references, &random) }
        try await fixture.storage.stores.interactions.store(
            done.enumerated().map { $1.spooled(UInt64($0 + 1)) }, at: .noon)
        return messages
    }

    private func queries(_ messages: [MessageID]) throws -> [InteractionQuery] {
        [
            InteractionQuery(), InteractionQuery(automated: true), InteractionQuery(isFirst: true),
            InteractionQuery(visitor: .cannotTell), InteractionQuery(to: .noon + 10_000),
            InteractionQuery(kind: .messageOpened, automated: false),
            InteractionQuery(message: messages[1], visitor: .person, isFirst: false),
            InteractionQuery(recipient: try .ana), InteractionQuery(recipient: try .ana, automated: true),
            InteractionQuery(recipient: try .bo, message: messages[0], kind: .pushLinkClicked, isFirst: true),
            InteractionQuery(recipient: try .ana, activity: .opens), InteractionQuery(activity: .clicks),
        ]
    }

    private func all(
        _ query: InteractionQuery, limit: Int, rowsAtOnce: Int, _ fixture: SQLiteFixture
    ) async throws -> (ids: [Int64], readings: Int) {
        let hasher = RecipientHasher(key: SQLiteFixture.erasureKey)
        let acme = fixture.ports.acme
        let hash = try query.recipient.map { try hasher.person(named: $0, in: acme, by: .email).hash }
        return try await fixture.storage.database.read { db in
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

    @Test("in many readings it finds what it finds in one, and each passes over no more rows than it may")
    func bounded() async throws {
        try await withSQLite { fixture in
            for query in try queries(try await fill(fixture)) {
                for limit in [3, 50, 9999] {
                    let whole = try await all(query, limit: limit, rowsAtOnce: 1_000_000, fixture)
                    #expect(whole.readings == 1)
                    let parts = try await all(query, limit: limit, rowsAtOnce: 20, fixture)
                    #expect(parts.ids == whole.ids, "\(query) \(limit)")
                }
            }
        }
    }

    @Test("volumes in which positions go up and down are read in one order, as after a move from a server")
    func mixedVolumes() async throws {
        try await withSQLite { fixture in
            _ = try await fill(fixture)
            let whole = try await all(InteractionQuery(recipient: try .ana), limit: 9999, rowsAtOnce: 9999, fixture)
            for volumes in ["1 + id % 3", "700 - id", "1 + id % 2 * 6"] {
                try await fixture.storage.database.write {
                    try $0.db.execute(sql: "UPDATE interactions SET volume = \(volumes)")
                }
                for (limit, rowsAtOnce) in [(9999, 9999), (9999, 20), (1, 9999), (7, 50), (100, 20)] {
                    var found: [Int64] = []
                    var after: InteractionFeedCursor?
                    repeat {
                        let query = InteractionQuery(recipient: try .ana, after: after)
                        let page = try await all(query, limit: limit, rowsAtOnce: rowsAtOnce, fixture).ids
                        found += page
                        let last = page.last.flatMap { TimeOrderedNumber(rawValue: UInt64($0)) }
                        after = last.map { .interaction(InteractionID($0)) }
                    } while after != nil
                    #expect(found == whole.ids, "\(volumes), \(limit) at once")
                }
            }
        }
    }

    @Test("rows that do not fit are passed over a bounded number at a time")
    func readings() async throws {
        try await withSQLite { fixture in
            _ = try await fill(fixture)
            // Nothing fits: a link that no interaction has been made with.
            let never = LinkIndex(rawValue: 1)
            try await fixture.storage.database.write { try $0.db.execute(sql: "UPDATE interactions SET link = 7") }
            let anas = try await all(InteractionQuery(recipient: try .ana), limit: 9999, rowsAtOnce: 9999, fixture)
            for (query, rows) in [
                (InteractionQuery(link: never), Self.count),
                (InteractionQuery(recipient: try .ana, link: never), anas.ids.count),
            ] {
                let found = try await all(query, limit: 9, rowsAtOnce: 20, fixture)
                #expect(found.ids.isEmpty)
                #expect(found.readings >= rows / 20, "\(found.readings) readings of \(rows) rows")
            }
        }
    }

    @Test("a reader that asks again goes on behind what does not fit, and misses nothing that comes then")
    func following() async throws {
        try await withSQLite { fixture in
            let messages = try await fill(fixture)
            try await fixture.storage.database.write { try $0.db.execute(sql: "UPDATE interactions SET link = 7") }
            let (store, acme) = (fixture.storage.stores.interactions, fixture.ports.acme)
            let link = LinkIndex(rawValue: 1)
            let queries = [
                InteractionQuery(link: link), InteractionQuery(message: messages[0], link: link),
                InteractionQuery(recipient: try .ana, link: link),
            ]
            var places: [InteractionFeedCursor] = []
            for query in queries {
                let none = try await store.following(query, limit: 9, in: acme)
                #expect(none.interactions.isEmpty)
                let place = try #require(none.passed)
                #expect(try await store.isKnown(place, in: acme))
                #expect(try await passed(query.having(after: place), fixture) == 0)
                #expect(try await passed(query, fixture) > 0)
                places.append(place)
            }
            let reference = try await fixture.ports.reference(of: .ana, message: messages[0])
            try await store.store([.click(9_999, messages[0], reference)], at: .noon)
            for (query, place) in zip(queries, places) {
                let one = try await store.following(query.having(after: place), limit: 9, in: acme)
                #expect(one.interactions.map(\.id.rawValue) == [9_999] && one.passed == nil, "\(query)")
            }
        }
    }

    @Test("a question that passes over many rows is a long read after its first snapshot")
    func long() async throws {
        try await withSQLite { fixture in
            try await fillMany(fixture)
            let noting = NotingDatabase(fixture.storage.database)
            let hasher = RecipientHasher(key: SQLiteFixture.erasureKey)
            let store = SQLInteractionStore(
                GuardedDatabase(database: noting, ledgers: CommittedLedgers()),
                hashing: RecipientHashing(hasher: hasher, comparisons: RecipientComparisons(noting)),
                found: FoundReferences())
            let (acme, never) = (
                fixture.ports.acme, InteractionQuery(kind: .pushLinkClicked, link: LinkIndex(rawValue: 99))
            )
            #expect(try await store.interactions(matching: never, limit: 9, in: acme).isEmpty)
            #expect(noting.take() == [.short, .long(owner: acme.hashValue)])
        }
    }

    /// How many rows the first snapshot of a question looks at.
    private func passed(_ query: InteractionQuery, _ fixture: SQLiteFixture) async throws -> Int {
        let hasher = RecipientHasher(key: SQLiteFixture.erasureKey)
        let acme = fixture.ports.acme
        let hash = try query.recipient.map { try hasher.person(named: $0, in: acme, by: .email).hash }
        return try await fixture.storage.database.read { db in
            let row = try OrganizationRow.require(acme, db)
            return try InteractionSearch(query, organization: row.number, limit: 9).read(person: hash, db).passed
        }
    }

    /// More interactions of ana than one snapshot looks at. One in 5,000 is a machine's.
    private func fillMany(_ fixture: SQLiteFixture) async throws {
        let message = try await fixture.ports.message()
        let reference = try await fixture.ports.reference(of: .ana, message: message)
        let rows = InteractionSearch.rowsAtOnce + 5_000
        try await fixture.storage.stores.interactions.store([.click(1, message, reference)], at: .noon)
        try await fixture.storage.database.write {
            try $0.db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
                    INSERT INTO interactions SELECT id + i, organization, message, recipient, kind, source, link,
                        i % 5000 = 0, occurred_at, recorded_at, action, 0, volume, position + i,
                        iif(i % 5000 = 0, 1, visitor)
                    FROM n, (SELECT * FROM interactions LIMIT 1)
                    """)
        }
    }

    @Test("a page is full although what fits lies far apart, and the next goes on behind it")
    func pages() async throws {
        try await withSQLite { fixture in
            try await fillMany(fixture)
            let (store, acme) = (fixture.storage.stores.interactions, fixture.ports.acme)
            for recipient in [nil, try RecipientID.ana] {
                var query = InteractionQuery(recipient: recipient, automated: true)
                let first = try await store.interactions(matching: query, limit: 4, in: acme)
                #expect(first.count == 4)
                query.after = first.last.map { .position($0.position) }
                let second = try await store.interactions(matching: query, limit: 4, in: acme)
                #expect(second.count == 1)
                #expect(Set((first + second).map(\.id)).count == 5)
            }
        }
    }
}

extension InteractionQuery {
    fileprivate func having(after place: InteractionFeedCursor) -> InteractionQuery {
        var query = self
        query.after = place
        return query
    }
}
