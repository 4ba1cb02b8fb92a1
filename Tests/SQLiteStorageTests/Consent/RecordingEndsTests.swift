import Consent
import Identifiers
import Organizations
import StorageContracts
import TestSupport
import Testing

@testable import SQLiteStorage

/// What a service is told at its start.
@Suite struct RecordingEndsTests {
    @Test("after a restart the observer is told of every organization what it knew before")
    func reload() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            try await fixture.ports.record(.withdrawn, for: .ana)
            let withdrawn = try #require(fixture.observer.takeChanges().first?.reference)
            try await fixture.ports.record(.given, for: .bo)
            let erased = try await fixture.ports.reference(of: .bo, message: message)
            _ = try await fixture.storage.consents.erase(.bo, in: fixture.ports.acme)

            let reopened = try fixture.reopened()
            try await reopened.storage.organizations.loadRecordingEnds(at: .noon)
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

    @Test("a caller whose clock is behind is told of a withdrawal all the same")
    func callerBehind() async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana, occurredAt: .noon + -1000)
            try await fixture.ports.record(.withdrawn, for: .ana)
            let reference = try #require(fixture.observer.takeChanges().last?.reference)
            _ = fixture.observer.take()
            try await fixture.storage.organizations.loadRecordingEnds(at: .noon + -1)
            let end = KnownEnd(reference: reference, purpose: .tracking, end: .distantPast)
            #expect(fixture.observer.take().first == .reloaded([end], .restrictive, fixture.ports.acme))
        }
    }
}
