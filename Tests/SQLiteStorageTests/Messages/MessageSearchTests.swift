import Identifiers
import Ledger
import Messages
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

@Suite struct MessageSearchTests {
    /// Makes messages of acme's, all of whose names begin with `many` but for the first four, which begin with `few`.
    private func fill(_ fixture: SQLiteFixture, count: Int) async throws {
        _ = try await fixture.ports.message("template")
        try await fixture.storage.database.write {
            try $0.db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                    INSERT INTO messages (id, organization, digest, content, purpose, created_at)
                        SELECT m.id + n.i, m.organization, randomblob(32), m.content, m.purpose, m.created_at
                        FROM n, (SELECT * FROM messages LIMIT 1) m;
                    INSERT INTO message_names (organization, message, name)
                        SELECT organization, id, CAST(iif(row_number() OVER (ORDER BY id) <= 4, 'few-', 'many-') AS BLOB)
                        FROM messages WHERE id > (SELECT min(id) FROM messages);
                    INSERT INTO message_tags SELECT organization, CAST('t' AS BLOB), id FROM messages WHERE id % 2 = 0;
                    """)
        }
    }

    @Test("a name that many have is found as one that few have, page by page and newest first")
    func names() async throws {
        try await withSQLite { fixture in
            try await fill(fixture, count: 2_500)
            let acme = fixture.ports.acme
            func list(_ query: MessageQuery, _ limit: Int) async throws -> [MessageSummary] {
                try #require(
                    try await fixture.storage.stores.messages.messages(matching: query, limit: limit, in: acme))
            }
            let all = try await list(MessageQuery(), 9_999)
            #expect(all.count == 2_501)
            for prefix in ["few", "many", "m"] {
                var query = MessageQuery(name: try MessageNamePrefix(prefix))
                let expected = all.filter { $0.name.hasPrefix(prefix) }
                var found: [MessageSummary] = []
                while true {
                    let page = try await list(query, 700)
                    found += page
                    guard let last = page.last else { break }
                    query.after = last.id
                }
                #expect(found == expected, "\(prefix)")
                query.after = nil
                query.tag = try MessageTag("t")
                #expect(try await list(query, 9_999) == expected.filter { !$0.tags.isEmpty }, "\(prefix)")
            }
        }
    }

    @Test(
        "a message of which a list cannot read something is named, and closes its ledger",
        arguments: [
            "UPDATE message_tags SET tag = x'0A'", "UPDATE messages SET purpose = 1; UPDATE purposes SET name = ''",
        ])
    func unreadable(_ statement: String) async throws {
        try await withSQLite { fixture in
            try await fill(fixture, count: 3)
            try await fixture.storage.database.write { try $0.db.execute(sql: statement) }
            let acme = fixture.ports.acme
            await #expect(throws: UnreadableMessage.self) {
                try await fixture.storage.stores.messages.messages(matching: MessageQuery(), limit: 9, in: acme)
            }
            #expect(fixture.storage.stores.ledgers.inconsistencies.map(\.organization) == [acme])
        }
    }

    @Test("no page of a list reads a message's row or sorts what it found")
    func plans() async throws {
        try await withSQLite { fixture in
            try await fill(fixture, count: 10)
            let queries = [
                MessageQuery(), MessageQuery(name: try MessageNamePrefix("few")),
                MessageQuery(tag: try MessageTag("t")),
                MessageQuery(name: try MessageNamePrefix("few"), tag: try MessageTag("t"), from: .noon, to: .noon + 1),
            ]
            let acme = fixture.ports.acme
            let plans = try await fixture.storage.database.read { db in
                let plans = try db.plans {
                    for query in queries { _ = try MessageSearch(query, in: acme, number: 1, limit: 2).messages(db) }
                }
                return plans.flatMap { _, steps in
                    // What is joined to a tag is found by its id alone, not among all between two ids.
                    let isByTag = steps.contains { $0.hasPrefix("SEARCH t ") }
                    #expect(!isByTag || steps.contains { $0.hasPrefix("SEARCH m ") && $0.contains("id=?") }, "\(steps)")
                    return steps
                }
            }
            #expect(!plans.isEmpty)
            for step in plans {
                #expect(step.hasPrefix("SEARCH"), "\(step)")
                #expect(!step.hasPrefix("SEARCH m ") || step.contains("COVERING INDEX messages_listed"), "\(step)")
            }
            #expect(plans.contains { $0.hasPrefix("SEARCH t ") })
        }
    }
}
