import Consent
import Identifiers
import TestSupport
import Testing
import TrackingIDs

@testable import UseCases

/// How long a key is needed that signs no longer.
@Suite struct KeyLifetimeTests {
    private struct Store: KeyRingStore {
        func write(_ ring: KeyRing, replacing _: KeyRing) async throws {}
    }

    @Test("with a short lifetime of links, a key is kept as long as links of consent requests work")
    func consentRequests() async throws {
        let current = CurrentKeyRing(try Samples.keyRing())
        let rotation = KeyRotation(
            current: current, store: Store(), linkLifetimeInDays: 1, logger: LogLines().logger)
        _ = try await rotation.rotate(at: .noon)
        let end = try #require(await rotation.list().first { $0.key.id == 1 }?.linksAliveUntil)
        #expect(end >= .noon + .days(ConsentRequest.lifetimeInDays))
        await #expect(throws: KeyRotation.RetireRefusal.self) {
            try await rotation.retire(1, force: false, at: .noon + .days(2))
        }
        #expect(current.value[1] != nil)
    }
}
