import Identifiers
import Interactions
import SQL
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

@Suite struct JudgedInteractionsTests {
    @Test("what counting reads of a recipient's interactions is read from the index alone")
    func index() async throws {
        try await withSQLite { fixture in
            let plan = try fixture.storage.database.readNow { db in
                try db.statement(
                    "EXPLAIN QUERY PLAN \(PersonHistory.findJudged)"
                ).all(1 as Int64, 1 as Int64, 32 as Int64) { $0.text(3) }
            }
            #expect(plan.count == 1)
            #expect(plan.first?.contains("USING COVERING INDEX interactions_of_person") == true, "\(plan)")
        }
    }
}
