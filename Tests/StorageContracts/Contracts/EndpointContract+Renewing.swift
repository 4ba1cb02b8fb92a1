import Consent
import Identifiers
import TestSupport
import Testing
import Webhooks

extension EndpointContract {
    /// What a relay gets that could not send a delivery at once.
    static let renewing: [Promise] = [
        Promise("a lease that begins anew has the event as it is now, the same token, and its whole time") { storage in
            let made = try await make(storage, [.consentRecorded])
            let record = try await storage.record(.given, for: .ana)
            let first = try #require(try await lease(storage).first)
            #expect(first.event.consent?.content == .recorded(record, recipient: try .ana))
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            _ = try await storage.endpoints.rotate(made.id, to: [9, 9], in: storage.acme, at: .noon)
            let end = Timestamp.noon + LeasedEvent.lifetime
            let renewed = try await renew(storage, first, at: end.advanced(byMilliseconds: -1))
            #expect(renewed.token == first.token && renewed.event.id == first.event.id)
            guard case .recorded(_, let recipient) = renewed.event.consent?.content else {
                Issue.record("it is another event")
                return
            }
            #expect(recipient == nil)
            #expect(renewed.sealedSecrets.first == [9, 9])
            let other = try #require(RelayIdentity(relay: "another-relay-000", process: "process-00000000"))
            let refused = try await storage.deliveries.lease(to: other, limit: 9, in: storage.acme, at: end)
            #expect(refused.events.isEmpty)
            #expect(refused.nextDue == end.advanced(byMilliseconds: -1) + LeasedEvent.lifetime)
            #expect(try await deliver(storage, renewed, at: end).verdict == .goOn)
            await #expect(throws: LeaseEnded.self) { _ = try await renew(storage, renewed, at: end) }
        },
        Promise("a lease does not begin anew once its endpoint was changed, disabled or removed") { storage in
            typealias Change = @Sendable (EndpointID) async throws -> Void
            let change = EndpointChange(url: try EndpointURL("https://other.example/x"))
            let changes: [Change] = [
                { _ = try await apply(storage, $0, by: change) },
                { _ = try await storage.endpoints.setEnabled(false, $0, in: storage.acme, at: .noon) },
                { _ = try await storage.endpoints.remove($0, in: storage.acme) },
            ]
            for change in changes {
                let made = try await make(storage, [.consentRecorded])
                try await storage.record(.given, for: .ana)
                let leased = try #require(try await lease(storage).first { $0.endpoint.id == made.id })
                try await change(made.id)
                await #expect(throws: LeaseEnded.self) { _ = try await renew(storage, leased) }
            }
        },
        Promise("a lease begins anew for its relay alone, and not for a process that a later one has superseded") {
            storage in
            try await make(storage, [.consentRecorded])
            try await storage.record(.given, for: .ana)
            let (earlier, later) = (try process(begunAt: .noon), try process(begunAt: .noon + 1))
            let other = try #require(RelayIdentity(relay: "another-relay-000", begunAt: .noon, random: "a"))
            let first = try #require(
                try await storage.deliveries.lease(to: earlier, limit: 9, in: storage.acme, at: .noon).events.first)
            await #expect(throws: LeaseEnded.self) { _ = try await renew(storage, first, to: other) }
            #expect(try await renew(storage, first, to: earlier).event == first.event)
            _ = try await storage.deliveries.lease(to: later, limit: 9, in: storage.acme, at: .noon)
            await #expect(throws: RelayIsSuperseded.self) { _ = try await renew(storage, first, to: earlier) }
        },
    ]

    private static func renew(
        _ storage: StorageUnderTest, _ leased: LeasedEvent, to other: RelayIdentity? = nil, at now: Timestamp = .noon
    ) async throws -> LeasedEvent {
        try await storage.deliveries.renew(
            leased.token, by: try other ?? relay, in: storage.acme, at: now)
    }
}
