import Consent
import Cryptography
import GRDB
import Identifiers
import SQL
import StorageContracts
import Synchronization
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteFiles
@testable import SQLiteStorage

/// The order in which the rows of many new recipients are looked up and written.
@Suite struct NewPeopleOrderTests {
    private static let hashes = {
        var random = SeededGenerator(seed: 5)
        return (0..<600).map { _ in
            HMACSHA256.Tag { _ in UInt8.random(in: 0...255, using: &random) }
        }
    }()

    // A key path of an inline array ends the compiler (Swift 6.3.1).
    private static var inOrder: [[UInt8]] { hashes.map { $0.bytes }.sorted { $0.lexicographicallyPrecedes($1) } }

    /// A table that keeps its rows in the order in which they were written.
    private func withTable(_ body: (SQLiteFileConnection) throws -> Void) throws {
        try DatabaseQueue().write { db in
            try db.addBoundRows()
            try db.execute(
                sql: """
                    CREATE TABLE people (hash BLOB UNIQUE, recipient INTEGER, is_erased INTEGER, is_respelled INTEGER)
                    """)
            try body(SQLiteFileConnection(db))
        }
    }

    private func written(_ db: SQLiteFileConnection) throws -> [[UInt8]] {
        try db.statement("SELECT hash FROM people ORDER BY rowid").all { $0.bytes(0) }
    }

    @Test("rows that wait are written in the order of their hashes when they are finished")
    func waiting() throws {
        try withTable { db in
            let insert = try PeopleInsert(db)
            try insert.beginOrder(reserving: Self.hashes.count)
            for (number, hash) in Self.hashes.enumerated() {
                try insert.add(hash, Int64(number), isErased: false, isRespelled: number == 7)
            }
            #expect(try written(db).isEmpty)
            try insert.finish()
            try insert.finish()
            #expect(try written(db) == Self.inOrder)
            let numbers = try db.statement("SELECT hash, recipient, is_erased, is_respelled FROM people").all {
                (Self.hashes[Int($0.integer(1))].bytes == $0.bytes(0), $0.bool(2), $0.bool(3) == ($0.integer(1) == 7))
            }
            #expect(numbers.allSatisfy { $0.0 && !$0.1 && $0.2 })
        }
    }

    @Test("rows that need not wait are written at once")
    func single() throws {
        try withTable { db in
            let insert = try PeopleInsert(db)
            for hash in Self.hashes {
                try insert.add(hash, nil, isErased: true, isRespelled: false)
                #expect(try written(db).last == hash.bytes)
            }
            try insert.finish()
            #expect(try written(db) == Self.hashes.map { $0.bytes })
        }
    }

    @Test("many are looked up in the order of their hashes, each once")
    func lookup() throws {
        try withTable { db in
            let known = Self.hashes[3]
            try db.statement("INSERT INTO people VALUES (?, 8, 0, 1)").run(known)
            var lookup = try RecipientLookup(db)
            var asked: [String] = []
            try db.grdb.trace {
                if case .statement(let statement) = $0, statement.sql.contains("hash = ?") {
                    asked.append(statement.expandedSQL)
                }
            }
            try lookup.prefetchInOrder(Self.hashes)
            for hash in Self.hashes {
                let expected =
                    hash.bytes == known.bytes ? KnownRecipient(recipient: 8, isErased: false, isRespelled: true) : nil
                #expect(try lookup(hash) == expected)
            }
            try db.grdb.trace()
            #expect(asked.count == Self.hashes.count)
            #expect(asked == asked.sorted())
        }
    }

    @Test("recipients of a large list are numbered in its order, as those of a short one are")
    func numbers() async throws {
        try await withSQLite { fixture in
            let count = RecipientTable.leastOrderedCount
            let people = try (0..<count + 3).map { try RecipientID("person\($0)") }
            let (ports, message) = (fixture.ports, try await fixture.ports.message())
            try await ports.decide([(people[0], .noConsentRecord)], of: message)
            try await ports.decide(people[1...count].map { ($0, .noConsentRecord) }, of: message)
            try await ports.decide(people[(count + 1)...].map { ($0, .noConsentRecord) }, of: message)
            let names = try fixture.storage.database.readNow { db in
                try db.statement("SELECT identifier FROM recipients ORDER BY number").all { $0.text(0) }
            }
            #expect(names == people.map(\.text))
            #expect(try fixture.storage.database.readNow { try Self.joined($0) } == Int64(people.count))
        }
    }

    @Test("new recipients of a short list are entered without a look-up, in one statement; known ones are found")
    func unsearched() async throws {
        try await withSQLite { fixture in
            let (ports, message) = (fixture.ports, try await fixture.ports.message())
            let people = try (0..<5).map { try RecipientID("person\($0)") }
            try await ports.decide([(people[2], .noConsentRecord)], of: message)
            let basis = try await ports.consents.statuses(of: people, for: .tracking, in: ports.acme, at: .noon).basis
            let statements = Statements()
            try await fixture.storage.database.write { writing in
                try writing.db.grdb.trace { if case .statement(let statement) = $0 { statements.note(statement.sql) } }
            }
            let decided = try await ports.decisions.append(
                people.map { Decision(recipient: $0, verdict: ConsentVerdict(reason: .consentGiven)) }, of: message,
                in: ports.acme, asOf: basis, at: .noon)
            try await fixture.storage.database.write { try $0.db.grdb.trace() }
            #expect(Set(decided.compactMap(\.reference)).count == people.count)
            #expect(statements.count { $0.hasPrefix("SELECT") && $0.contains("FROM people WHERE") } == 0)
            #expect(statements.count { $0.contains("INTO people (") } == 4)
            #expect(statements.count { $0.contains("INTO recipients (") } == 1)
            let names = try fixture.storage.database.readNow { db in
                try db.statement("SELECT identifier FROM recipients ORDER BY number").all { $0.text(0) }
            }
            #expect(names == ["person2", "person0", "person1", "person3", "person4"])
        }
    }

    /// The statements that a connection has run.
    private final class Statements: Sendable {
        private let noted = Mutex<[String]>([])

        func note(_ sql: String) { noted.withLock { $0.append(sql) } }

        func count(where isCounted: (String) -> Bool) -> Int { noted.withLock { $0.filter(isCounted).count } }
    }

    @Test(
        "behind the greatest number of all, the recipients of a list get numbers that are free",
        arguments: [3, RecipientTable.leastOrderedCount])
    func forged(_ count: Int) async throws {
        try await withSQLite { fixture in
            let (ports, message) = (fixture.ports, try await fixture.ports.message())
            try await ports.decide([(.ana, .noConsentRecord)], of: message)
            try await fixture.storage.database.write {
                try $0.db.execute(sql: "INSERT INTO recipients VALUES (9223372036854775807, 1, 5, 'zz')")
            }
            let people = try (0..<count).map { try RecipientID("person\($0)") }
            let decided = try await ports.decide(people.map { ($0, .consentGiven) }, of: message)
            #expect(Set(decided.compactMap(\.reference)).count == people.count)
            #expect(try fixture.storage.database.readNow { try Self.joined($0) } == Int64(people.count + 1))
        }
    }

    /// How many hashes lead to a row of their own.
    private static func joined(_ db: any SQLConnection) throws -> Int64? {
        try db.statement("SELECT count(DISTINCT r.number) FROM people p JOIN recipients r ON r.number = p.recipient")
            .first { $0.integer(0) }
    }
}
