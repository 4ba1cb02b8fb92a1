import Consent
import Identifiers
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// What memory is told of at the start of a service, and of a new organization.
@Suite struct RecordingEndsTests {
    @Test("after a restart a snapshot tells of every organization what was known before")
    func reload() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            try await fixture.ports.record(.withdrawn, for: .ana)
            let withdrawn = try #require(fixture.observer.takeChanges().first?.reference)
            try await fixture.ports.record(.given, for: .bo)
            let erased = try await fixture.ports.reference(of: .bo, message: message)
            _ = try await fixture.storage.stores.consents.erase(.bo, in: fixture.ports.acme)

            let reopened = try fixture.reopened()
            for rules in try await reopened.storage.stores.rules.snapshot().organizations {
                for change in rules.changes { change.notify(reopened.observer, reopened.observer) }
            }
            let end = KnownEnd(reference: withdrawn, purpose: .tracking, end: .distantPast)
            #expect(
                reopened.observer.take() == [
                    .reloaded([end], .restrictive, fixture.ports.acme),
                    .erased(erased, fixture.ports.acme),
                    .reloaded([], .nonRestrictive, fixture.ports.globex),
                ]
            )
            try reopened.storage.close()
        }
    }

    @Test("a new organization is told of, so that its clicks need not wait for a restart")
    func newOrganization() async throws {
        try await withSQLite { fixture in
            #expect(
                fixture.observer.take() == [
                    .reloaded([], .restrictive, fixture.ports.acme),
                    .reloaded([], .nonRestrictive, fixture.ports.globex),
                ]
            )
        }
    }
}
