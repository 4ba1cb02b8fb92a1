import SQL
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

@Suite struct ErasedReportBlocksTests {
    @Test("nothing that is kept points at an erased person")
    func erased() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            let reference = try await fixture.ports.reference(of: .ana, message: message)
            try await fixture.ports.interactions.store([.click(1, message, reference)], at: .noon)
            func traces() throws -> [[UInt8]] {
                try fixture.storage.database.readNow { db in
                    try db.statement("SELECT states FROM message_people UNION ALL SELECT bits FROM message_responders")
                        .all { $0.bytes(0) }.filter { $0.contains { $0 != 0 } }
                }
            }
            #expect(try traces().count == 2)
            _ = try await fixture.ports.consents.erase(.ana, in: fixture.ports.acme)
            #expect(try traces().isEmpty)
        }
    }
}
