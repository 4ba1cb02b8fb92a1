import Identifiers
import Interactions
import StorageContracts
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite struct LatestTimeTests {
    @Test("the latest time is that of storing, where an interaction was stored long after its id was made")
    func positions() async throws {
        try await withSQLite { fixture in
            let storage = fixture.ports
            let message = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: message)
            let before = try fixture.storage.latestTime()
            let ahead = Timestamp.noon + 366 * 86_400_000
            let click = SpooledOccurrence.click(TimeOrderedNumber.lowerBound(at: .noon), message, reference)
            try await storage.interactions.store([click], at: ahead)
            #expect(before < ahead)
            #expect(try fixture.reopened().storage.latestTime() == ahead)
        }
    }
}
