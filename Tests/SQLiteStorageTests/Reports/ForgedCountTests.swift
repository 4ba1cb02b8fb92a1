import Consent
import GRDB
import Identifiers
import Interactions
import Reports
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// Counts and rows that no service writes, written by somebody who has the file.
@Suite struct ForgedCountTests {
    @Test(
        "what is forged neither ends the process nor keeps others from being counted",
        arguments: [
            "UPDATE interactions SET visitor = 77",
            "UPDATE interactions SET kind = 99",
            "UPDATE interactions SET link = -1, occurred_at = -9223372036854775808",
            "UPDATE messages SET created_at = -9223372036854775808",
            "UPDATE message_people SET states = x'01'",
            "UPDATE message_responders SET bits = x''",
            "UPDATE people_counts SET count = 9223372036854775807",
            "UPDATE decision_counts SET count = 9223372036854775807",
            "UPDATE activity_counts SET total = 9223372036854775807, people = -9223372036854775808",
            """
            INSERT INTO message_responders SELECT message, response, 9223372036854775807, bits
            FROM message_responders
            """,
            "INSERT INTO message_people SELECT message, -9223372036854775807, states FROM message_people",
        ])
    func forged(_ statement: String) async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let message = try await ports.message()
            let ana = try await ports.reference(of: .ana, message: message)
            try await ports.interactions.store([.click(1, message, ana)], at: .noon)
            try await fixture.storage.database.write { try $0.db.execute(sql: statement) }

            let bo = try await ports.reference(of: .bo, message: message)
            try await ports.interactions.store([.click(2, message, ana), .click(3, message, bo)], at: .noon)
            #expect(try await ports.interactions.count(in: ports.acme) == 3)
            let counts = try await ports.report(of: message)
            #expect(counts.activity.clickers >= 1 && counts.figures.composed >= 1)
            let selection = try ReportSelection(from: .noon, to: .noon + 1, now: .noon)
            let campaign = try await ports.reports.counts(of: selection, in: ports.acme)
            #expect(campaign.figures.composed >= 0 && (campaign.figures.responders?.clickers ?? 0) >= 0)
            _ = try await ports.consents.erase(.ana, in: ports.acme)
        }
    }

    @Test(
        "a count that its table has twice ends no report", arguments: ["decision_counts", "people_counts"])
    func twice(_ table: String) async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let message = try await ports.message()
            _ = try await ports.reference(of: .ana, message: message)
            try await fixture.storage.database.write { writing in
                // As if the key of the table were damaged.
                for sql in [
                    "CREATE TABLE damaged AS SELECT * FROM \(table)", "DROP TABLE \(table)",
                    "ALTER TABLE damaged RENAME TO \(table)", "INSERT INTO \(table) SELECT * FROM \(table)",
                ] { try writing.db.execute(sql: sql) }
            }
            #expect(try await ports.report(of: message).figures.composed >= 1)
            let selection = try ReportSelection(from: .noon, to: .noon + 1, now: .noon)
            #expect(try await ports.reports.counts(of: selection, in: ports.acme).figures.composed >= 0)
        }
    }

    @Test("recipients of a number that there is not are counted at the start", arguments: [-5, Int64.max, .min])
    func recipient(_ number: Int64) async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            _ = try await fixture.ports.reference(of: .ana, message: message)
            try fixture.storage.database.writeNow { db in
                try db.execute(sql: "UPDATE decisions SET recipient = ?", arguments: [number])
                for table in ["people_counts", "message_people", "activity_counts", "message_responders"] {
                    try db.execute(sql: "DELETE FROM \(table)")
                }
                try db.execute(sql: "INSERT INTO report_filling (decision, message) VALUES (0, 0)")
            }
            let reopened = try fixture.reopened()
            #expect(try await reopened.ports.report(of: message).people[.clicks] == [.consentGiven: 1])
            try reopened.storage.close()
        }
    }

    @Test(
        "a number that is kept of an organization refuses neither an interaction nor an erasure",
        arguments: ["interactions_stored", "erasures"],
        ["9223372036854775807", "-9223372036854775808", "281474976710655", "281474976710656", "-1"])
    func ofOrganization(_ column: String, _ number: String) async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let message = try await ports.message()
            let ana = try await ports.reference(of: .ana, message: message)
            try await fixture.storage.database.write {
                try $0.db.execute(sql: "UPDATE organizations SET \(column) = \(number)")
            }
            try await ports.interactions.store([.click(1, message, ana)], at: .noon)
            #expect(try await ports.interactions.count(in: ports.acme) >= 1)
            var epochs = [try await ports.epoch()]
            #expect(try await ports.consents.erase(.ana, in: ports.acme).interactions == 1)
            epochs.append(try await ports.epoch())
            for recipient in [try RecipientID.bo, try RecipientID("cy@example.com")] {
                _ = try await ports.consents.erase(recipient, in: ports.acme)
                epochs.append(try await ports.epoch())
            }
            #expect(zip(epochs, epochs.dropFirst()).allSatisfy { $0 != $1 }, "each erasure is noticed")
        }
    }

    @Test(
        "a counter of a message that no service writes is left out of its report",
        arguments: ["4, 9223372036854775807", "5, -9223372036854775808", "4, 2932897", "3, 77", "6, 48", "99, 0"])
    func counter(_ code: String) async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let message = try await ports.message()
            let ana = try await ports.reference(of: .ana, message: message)
            try await ports.interactions.store([.click(1, message, ana)], at: .noon)
            let before = try await ports.report(of: message).activity.counts
            try await fixture.storage.database.write {
                try $0.db.execute(sql: "INSERT INTO activity_counts SELECT id, \(code), 5, 5, 5, 5 FROM messages")
            }
            #expect(try await ports.report(of: message).activity.counts == before)
            #expect(before.days.map(\.key) == [CalendarDay(.noon)])
            #expect(try await ports.reports.figures(of: [message], in: ports.acme).count == 1)
        }
    }

    @Test(
        "however many rows of consents are forged, they are added up",
        arguments: ["8, -1 - i, 1", "6, day, i"])
    func consents(_ place: String) async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            try await ports.record(.given, for: .ana, evidence: ConsentEvidence(method: "form"))
            try await fixture.storage.database.write {
                try $0.db.execute(
                    sql: """
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000)
                        INSERT OR IGNORE INTO consent_counts
                        SELECT organization, purpose, \(place), 9223372036854775807
                        FROM (SELECT organization, purpose, day FROM consent_counts WHERE series = 1), n
                        """)
            }
            let counts = try await ports.reports.consents(ports.selection(0, 1), in: ports.acme)
            #expect(counts.days.first?.records == [.given: 1])
            #expect(counts.methods.words.isEmpty && counts.methods.others <= Int.maximumCountSum)
        }
    }

    @Test("counts of several messages are added up, whatever they are")
    func campaign() {
        let most = 1 << 62
        var activity = ActivityCounts()
        for counter in [ActivityCounter.kind(.pushLinkClicked), .opens(.person), .opens(.cannotTell)] {
            activity[counter] = ActivityTally(total: most, people: most)
        }
        let message = MessageCounts(
            decisions: [.consentGiven: most], people: .together([.consentGiven: most, .noConsentRecord: most]),
            activity: MessageActivity(counts: activity), peopleCountedUntil: nil, tracksOpens: true)
        var totals = CampaignTotals()
        for _ in 0..<3 { totals.add(message, .together(.tracking)) }
        let counts = totals.counts
        #expect(counts.decisions == [.consentGiven: Int.maximumCountSum])
        #expect(counts.figures.composed == Int.maximumCountSum)
        #expect(counts.figures.responders?.clickers == Int.maximumCountSum)
        #expect(counts.activity[.opens(.person)].total == Int.maximumCountSum)
    }
}
