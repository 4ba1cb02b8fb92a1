import GRDB
import Identifiers
import Interactions
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

@Suite struct UnreadableReportTests {
    @Test(
        "a start reads the reports of the last minute although others cannot be read",
        arguments: ["kind = 99", "source = 9", "id = 4000000000000000000, kind = 99", "message = -1"])
    func unreadable(_ change: String) async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            var reports: [SpooledOccurrence] = []
            for person in [try RecipientID.ana, try .bo] {
                let number = TimeOrderedNumber.lowerBound(at: .noon) + UInt64(reports.count) + 1
                reports.append(
                    SpooledOccurrence(
                        id: InteractionID(TimeOrderedNumber(known: number)),
                        occurrence: Occurrence(
                            kind: .pushNotificationOpened, source: .dynamics365, occurredAt: .noon, message: message,
                            recipient: try await fixture.ports.reference(of: person, message: message),
                            link: .message, visitor: .deviceReport)))
            }
            try await fixture.ports.interactions.store(reports, at: .noon + 1)
            try await fixture.storage.database.write {
                try $0.db.execute(
                    sql: "UPDATE interactions SET \(change) WHERE id = (SELECT min(id) FROM interactions)")
            }
            #expect(try await fixture.ports.interactions.reports(since: .noon) == [reports[1].occurrence])
        }
    }
}
