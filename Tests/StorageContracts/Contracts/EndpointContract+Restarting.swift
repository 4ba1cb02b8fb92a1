import Consent
import Identifiers
import TestSupport
import Testing
import Webhooks

extension EndpointContract {
    /// What two processes of one relay get, of which one began later.
    static let restarting: [Promise] = [
        Promise("of two processes of a relay the later one delivers, and the earlier one is refused") { storage in
            let made = try await make(storage, [.consentRecorded])
            try await storage.record(.given, for: .ana)
            try await storage.record(.given, for: .bo)
            let (earlier, later) = (try process(begunAt: .noon), try process(begunAt: .noon + 1))
            let first = try #require(try await lease(storage, to: earlier).first)
            let taken = try #require(try await lease(storage, to: later).first)
            #expect(taken.event == first.event)
            for _ in 0..<3 {
                await #expect(throws: RelayIsSuperseded.self) { _ = try await lease(storage, to: earlier) }
                await #expect(throws: RelayIsSuperseded.self) { _ = try await deliver(storage, first, to: earlier) }
                #expect(try await lease(storage, to: later).isEmpty, "it has the delivery")
            }
            let next = try #require(try await deliver(storage, taken, to: later).next)
            #expect(try await deliver(storage, next, to: later).next == nil)
            // Nothing is leased now, and still the later one delivers.
            await #expect(throws: RelayIsSuperseded.self) { _ = try await lease(storage, to: earlier) }
            #expect(try await storage.endpoints.attempts(of: made.id, in: storage.acme)?.count == 2)
        },
        Promise("what a clock stored that was years ahead keeps no endpoint waiting, and no relay from it") { storage in
            let made = try await make(storage, [.consentRecorded])
            try await storage.record(.given, for: .ana)
            let years = Timestamp.noon + 3650 * 86_400_000
            let (earlier, later) = (try process(begunAt: .noon), try process(begunAt: years))
            let first = try #require(try await lease(storage, to: later, at: years).first)
            #expect(try await lease(storage, to: earlier).map(\.event) == [first.event])
            let second = try #require(try await lease(storage, to: later, at: years).first)
            _ = try await deliver(
                storage, second, .answered(status: 500, retryAfter: nil), to: later, at: years)
            #expect(try await storage.deliveries.backlog(at: .noon) != DeliveryBacklog())
            let again = try #require(try await lease(storage, to: earlier).first)
            #expect(again.event == first.event)
            #expect(try await deliver(storage, again, to: earlier).verdict == .goOn)
            let due = try await storage.endpoints.endpoint(made.id, in: storage.acme)?.progress.dueAt
            #expect(try #require(due) < years)
        },
        Promise("an earlier process delivers again when no later one has for minutes") { storage in
            try await make(storage, [.consentRecorded])
            try await storage.record(.given, for: .ana)
            let (earlier, later) = (try process(begunAt: .noon), try process(begunAt: .noon + 1))
            let taken = try #require(try await lease(storage, to: later).first)
            let end = Timestamp.noon + (LeasedEvent.lifetime + LeasedEvent.memory)
            await #expect(throws: RelayIsSuperseded.self) {
                _ = try await lease(storage, to: earlier, at: end.advanced(byMilliseconds: -1))
            }
            #expect(try await lease(storage, to: earlier, at: end).map(\.event) == [taken.event])
        },
        Promise("what a superseded process still has it may report, and it gets nothing more") { storage in
            for _ in 0..<2 { try await make(storage, [.consentRecorded]) }
            try await storage.record(.given, for: .ana)
            try await storage.record(.given, for: .bo)
            let (earlier, later) = (try process(begunAt: .noon), try process(begunAt: .noon + 1))
            let leased = try await lease(storage, to: earlier)
            let taken = try await lease(storage, to: later, limit: 1)
            #expect(leased.count == 2 && taken.count == 1)
            let kept = try #require(leased.first { $0.endpoint.id != taken.first?.endpoint.id })
            let report = try await deliver(storage, kept, to: earlier)
            #expect(report.verdict == .goOn && report.next == nil)
            #expect(try await lease(storage, to: later).map(\.endpoint.id) == [kept.endpoint.id])
        },
        Promise("of processes whose names say no time, as versions before gave, none takes from another") { storage in
            try await make(storage, [.consentRecorded])
            try await storage.record(.given, for: .ana)
            let first = try #require(try await lease(storage).first)
            let like = try #require(RelayIdentity(relay: try relay.relay, process: "process-11111111"))
            #expect(try await lease(storage, to: like).isEmpty)
            let taken = try await lease(storage, to: try process(begunAt: .noon))
            #expect(taken.map(\.event) == [first.event])
        },
        Promise("a process of another relay is not superseded") { storage in
            for _ in 0..<2 { try await make(storage, [.consentRecorded]) }
            try await storage.record(.given, for: .ana)
            #expect(try await lease(storage, to: try process(begunAt: .noon + 1), limit: 1).count == 1)
            let other = try #require(RelayIdentity(relay: "another-relay-000", begunAt: .noon, random: "a"))
            #expect(try await lease(storage, to: other).count == 1)
        },
    ]

    static func process(begunAt begin: Timestamp) throws -> RelayIdentity {
        try #require(RelayIdentity(relay: try relay.relay, begunAt: begin, random: "a"))
    }

    private static func lease(
        _ storage: StorageUnderTest, to relay: RelayIdentity, limit: Int = 9, at now: Timestamp = .noon
    ) async throws -> [LeasedEvent] {
        try await storage.deliveries.lease(to: relay, limit: limit, in: storage.acme, at: now).events
    }
}
