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
}
