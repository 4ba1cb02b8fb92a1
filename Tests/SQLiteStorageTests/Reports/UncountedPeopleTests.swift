import Identifiers
import Interactions
import Organizations
import Reports
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite struct UncountedPeopleTests {
    @Test("in a file of the version before, people may be missing where interactions were deleted, and nowhere else")
    func migration() async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            let messages = [try await ports.message(), try await ports.message("later")]
            let later = Timestamp.noon + 2 * 86_400_000
            for (message, instant) in zip(messages, [.noon, later]) {
                let reference = try await ports.reference(of: .ana, message: message)
                let number = TimeOrderedNumber.lowerBound(at: instant) + 1
                try await ports.interactions.store(
                    [.click(number, message, reference, at: instant)], at: instant)
            }
            let change = OrganizationChange(
                retention: RetentionChange(interactions: .days(1), decisions: .forever))
            _ = try await ports.organizations.change(ports.acme, by: change, at: .noon)
            #expect(try await ports.purge(ports.acme, at: later, limit: 9).interactions == 1)
            try await fixture.makeOld(before: Schema.uncountedPeople)

            let reopened = try SQLiteFixture(fixture.folder)
            #expect(try await reopened.ports.report(of: messages[0]).figures.responders == nil)
            #expect(try await reopened.ports.report(of: messages[1]).figures.responders?.clickers == 1)
            try reopened.storage.close()
        }
    }
}
