import Consent
import GRDB
import Identifiers
import Interactions
import Messages
import Reports
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// How much a report of many messages reads.
@Suite struct DistinctPeopleTests {
    /// Gives a message blocks of people, and of each kind of response, with nobody in them.
    private func fill(
        _ message: MessageID, people: Int, opens: Int = 0, responders: Int = 0, _ fixture: SQLiteFixture
    ) async throws {
        try await fixture.storage.database.write { writing in
            for (count, insert) in [
                (people, "INSERT INTO message_people SELECT ?, i, x'' FROM n"),
                (opens, "INSERT INTO message_opens_people SELECT ?, i, x'' FROM n"),
                (responders, "INSERT INTO message_responders SELECT ?, r.response, i, x'' FROM n, r"),
            ] where count > 0 {
                try writing.db.execute(
                    sql: """
                        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(count - 1)),
                            r(response) AS (VALUES (1), (2), (3))
                        \(insert)
                        """, arguments: [Int64(message.rawValue)])
            }
        }
    }

    @Test("as many blocks as are allowed are read, of people and of what they did together, and not one more")
    func bound() async throws {
        try await withSQLite { fixture in
            let messages = [try await fixture.ports.message(), try await fixture.ports.message("autumn")]
            try await fill(messages[0], people: 5, responders: 2, fixture)
            try await fill(messages[1], people: 3, opens: 2, fixture)
            try fixture.storage.database.readNow { db in
                try DistinctPeople.read(of: messages, apart: [], maximumBlockCount: 14, db) { _ in }
                for most in [13, 11, 5, 4, 0] {
                    var read = 0
                    #expect(throws: ReportSelectionError.tooManyPeople) {
                        try DistinctPeople.read(of: messages, apart: [], maximumBlockCount: most, db) { _ in read += 1 }
                    }
                    #expect(read == 0, "it is refused before anything is read")
                }
                // Blocks of people are read once for each activity, those of `messages[1]` from a table each.
                try DistinctPeople.read(of: messages, apart: [messages[1]], maximumBlockCount: 21, db) { _ in }
                #expect(throws: ReportSelectionError.tooManyPeople) {
                    try DistinctPeople.read(of: messages, apart: [messages[1]], maximumBlockCount: 20, db) { _ in }
                }
                try DistinctPeople.read(of: [], apart: [], maximumBlockCount: 0, db) { _ in }
            }
        }
    }

    @Test("what is looked up is what was counted: no block is asked for that is not stored")
    func lookUps() async throws {
        try await withSQLite { fixture in
            var messages: [MessageID] = []
            for name in ["spring", "summer", "autumn", "winter"] {
                messages.append(try await fixture.ports.message(name))
                // One block of four of people, and one kind of response of three.
                try await fill(try #require(messages.last), people: 1, fixture)
            }
            try await fill(messages[0], people: 0, responders: 1, fixture)
            try fixture.storage.database.readNow { db in
                for (apart, places) in [([], 4 + 3), ([messages[3]], 4 + 3 + 3)] as [(Set<MessageID>, Int)] {
                    let counting = CountingConnection(db)
                    let stored = try StoredBlocks(of: messages, apart: apart, most: places, counting)
                    let toFind = counting.questions
                    #expect(toFind <= messages.count * 3)
                    #expect(stored.clicks.count + stored.opens.count + stored.responders.count == places)
                    try DistinctPeople.read(of: messages, apart: apart, maximumBlockCount: places, counting) { _ in }
                    #expect(counting.questions == 2 * toFind + places)
                }
            }
        }
    }

    @Test("a report of too many people is refused, and with a tag of fewer messages it is given")
    func refused() async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            var tagged = Message(name: "tagged")
            tagged.tags = [try MessageTag("few")]
            let few = try await ports.messages.save(tagged, in: ports.acme, at: .noon).message.id
            try await ports.decide([(.ana, .noConsentRecord)], of: few)
            try await fill(try await ports.message(), people: DistinctPeople.maximumBlockCount, fixture)
            let (from, to) = (Timestamp.noon, Timestamp.noon + 1)
            await #expect(throws: ReportSelectionError.tooManyPeople) {
                try await ports.reports.counts(
                    of: ReportSelection(from: from, to: to, now: .noon), in: ports.acme)
            }
            let narrow = try ReportSelection(from: from, to: to, tag: MessageTag("few"), now: .noon)
            #expect(try await ports.reports.counts(of: narrow, in: ports.acme).figures.composed == 1)
        }
    }
}
