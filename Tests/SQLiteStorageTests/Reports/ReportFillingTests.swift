import Consent
import GRDB
import Identifiers
import Interactions
import Messages
import Organizations
import Reports
import SQL
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

@Suite struct ReportFillingTests {
    /// Decisions and interactions with two messages, of people some of whom are erased.
    private func populate(_ ports: StorageUnderTest) async throws -> [MessageID] {
        var random = SeededGenerator(seed: 3)
        let messages = [try await ports.message(), try await ports.message("autumn")]
        var number: UInt64 = 0
        for message in messages {
            let people = try (0..<40).map { try RecipientID("person\($0)@people.example") }
            let references = try await ports.decide(people.map { ($0, .consentGiven) }, of: message)
                .compactMap(\.reference)
            try await ports.decide(people.prefix(9).map { ($0, .consentWithdrawn) }, of: message)
            try await ports.decide([(.ana, .noConsentRecord), (.bo, .consentRefused)], of: message)
            try await ports.decide([(.ana, .consentExpired)], of: message)
            let occurrences = (0..<300).compactMap { _ in
                Occurrence.random(of: [message], by: references, &random)
            }
            number += 1000
            let spooled = occurrences.enumerated().map { $1.spooled(number + UInt64($0)) }
            try await ports.interactions.store(spooled, at: .noon)
        }
        return messages
    }

    @Test("a file of the version before is counted when it is opened, and says what it said")
    func migration() async throws {
        try await withSQLite { fixture in
            let messages = try await populate(fixture.ports)
            var before: [MessageCounts] = []
            for message in messages { before.append(try await fixture.ports.report(of: message)) }
            let selection = try ReportSelection(from: .noon, to: .noon + 1, now: .noon)
            let campaign = try await fixture.ports.reports.counts(of: selection, in: fixture.ports.acme)
            try await fixture.makeOld(before: Schema.reports)

            let reopened = try SQLiteFixture(fixture.folder)
            for (message, before) in zip(messages, before) {
                let after = try await reopened.ports.report(of: message)
                #expect(after.decisions == before.decisions)
                #expect(after.people == before.people)
                #expect(after.people[.clicks] == [.consentGiven: 40, .consentExpired: 1, .consentRefused: 1])
                #expect(after.activity.counts == before.activity.counts)
                #expect((after.figures.responders?.clickers ?? 0) > 0)
            }
            let again = try await reopened.ports.reports.counts(of: selection, in: reopened.ports.acme)
            #expect(again.figures == campaign.figures)
            // What comes after counts on from there.
            try await reopened.ports.decide([(.ana, .consentGiven)], of: messages[0])
            let counts = try await reopened.ports.report(of: messages[0])
            #expect(counts.people[.clicks] == [.consentGiven: 41, .consentRefused: 1])
            try reopened.storage.close()
        }
    }

    @Test("people of whom interactions were deleted before they were counted are unknown, not none")
    func deleted() async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let later = Timestamp.noon + 2 * 86_400_000
            let message = try await ports.message()
            let reference = try await ports.reference(of: .ana, message: message)
            let number = TimeOrderedNumber.lowerBound(at: .noon) + (1 << 40)
            try await ports.interactions.store([.click(number, message, reference, at: .noon)], at: .noon)
            let change = OrganizationChange(
                retention: RetentionChange(interactions: .days(1), decisions: .forever))
            _ = try await ports.organizations.change(ports.acme, by: change, at: .noon)
            #expect(try await ports.purge(ports.acme, at: later, limit: 9).interactions == 1)
            let new = try await ports.messages.save(
                Message(name: "new"), in: ports.acme, at: later, fingerprint: nil
            ).message.id
            try await fixture.makeOld(before: Schema.reports)

            let reopened = try SQLiteFixture(fixture.folder)
            let old = try await reopened.ports.report(of: message)
            #expect(old.figures.responders == nil)
            #expect(old.people[.clicks] != [:], "of decisions all are there")
            #expect(try await reopened.ports.report(of: new).figures.responders != nil)
            try reopened.storage.close()
        }
    }

    @Test("counting goes on where it was interrupted, and ends")
    func interrupted() async throws {
        try await withSQLite { fixture in
            let messages = try await populate(fixture.ports)
            var before: [MessageCounts] = []
            for message in messages { before.append(try await fixture.ports.report(of: message)) }
            let database = fixture.storage.database
            try database.writeNow { db in
                for table in [
                    "people_counts", "message_people", "opens_people_counts", "message_opens_people", "activity_counts",
                    "message_responders",
                ] {
                    try db.execute(sql: "DELETE FROM \(table)")
                }
                try db.execute(sql: "INSERT INTO report_filling (decision, message) VALUES (0, 0)")
            }
            for _ in 0..<5 { #expect(try database.writeNow { try ReportFilling.step($0, decisionsAtOnce: 7) }) }
            let reopened = try fixture.reopened()
            for (message, before) in zip(messages, before) {
                let after = try await reopened.ports.report(of: message)
                #expect(after.people == before.people)
                #expect(after.activity.counts == before.activity.counts)
            }
            #expect(try reopened.storage.database.writeNow { try ReportFilling.step($0) } == false)
            try reopened.storage.close()
        }
    }

    @Test("a decision that cannot be read does not keep the file from being opened")
    func unreadable() async throws {
        try await withSQLite { fixture in
            let message = try await populate(fixture.ports)[0]
            try fixture.storage.database.writeNow { db in
                try db.execute(sql: "UPDATE decisions SET reason = 15 WHERE id = (SELECT max(id) FROM decisions)")
            }
            try await fixture.makeOld(before: Schema.reports)
            let reopened = try SQLiteFixture(fixture.folder)
            #expect(try await reopened.ports.report(of: message).people[.clicks][.consentGiven] == 40)
            try reopened.storage.close()
        }
    }
}
