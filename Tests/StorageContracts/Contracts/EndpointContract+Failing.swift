import Consent
import Identifiers
import TestSupport
import Testing
import Webhooks

extension EndpointContract {
    /// What becomes of deliveries that fail.
    static let failing: [Promise] = [
        Promise("a failure is tried again when it is due, and the last hundred attempts are kept") { storage in
            let made = try await make(storage, [.consentRecorded])
            try await storage.record(.given, for: .ana)
            var now = Timestamp.noon
            for number in 0..<3 {
                let leased = try #require(try await lease(storage, at: now).first)
                let report = try await deliver(storage, leased, .failed(.tls), at: now)
                #expect(report.verdict == .again && report.next == nil)
                let waiting = try await storage.deliveries.lease(to: relay, limit: 9, in: storage.acme, at: now)
                let due = try #require(waiting.nextDue)
                #expect(waiting.events.isEmpty && due > now)
                let stored = try await storage.endpoints.endpoint(made.id, in: storage.acme)
                #expect(stored?.progress.failures == number + 1)
                now = due
            }
            let leased = try #require(try await lease(storage, at: now).first)
            _ = try await deliver(storage, leased, at: now)
            let attempts = try #require(try await storage.endpoints.attempts(of: made.id, in: storage.acme))
            #expect(
                attempts.map(\.outcome) == Array(repeating: .failed(.tls), count: 3) + [
                    .answered(status: 200, retryAfter: nil)
                ])
            #expect(Set(attempts.map(\.webhookID)) == [WebhookSignature.id(of: leased.event.id, for: made.id)])
            for _ in 0..<120 {
                _ = try await storage.endpoints.test(made.id, in: storage.acme, at: now)
                _ = try await deliver(storage, try #require(try await lease(storage, at: now).first), at: now)
            }
            #expect(try await storage.endpoints.attempts(of: made.id, in: storage.acme)?.count == 100)
        },
        Promise("one that was dead for six days is off, others are told, and it goes on without loss") { storage in
            let dead = try await make(storage, [.consentRecorded, .endpointFailing])
            let other = try await make(storage, [.endpointFailing])
            let first = try await storage.record(.given, for: .ana)
            var now = Timestamp.noon
            var verdict = DeliveryProgress.Verdict.again
            while verdict == .again {
                let leased = try #require(try await lease(storage, at: now).first)
                verdict = try await deliver(storage, leased, .failed(.cannotConnect), at: now).verdict
                let waiting = try await storage.deliveries.lease(to: relay, limit: 9, in: storage.acme, at: now)
                if verdict == .again {
                    now = try #require(waiting.nextDue)
                } else {
                    #expect(waiting.events.map(\.endpoint.id) == [other.id])
                    #expect(waiting.events.map(\.event.content) == [.endpointFailing(dead.id, .failing)])
                }
            }
            #expect(verdict == .stop(.failing))
            #expect(try await storage.deliveries.counts() == [.enabled: 1, .failing: 1])
            let second = try await storage.record(.withdrawn, for: .bo)
            let later = Timestamp.noon.advanced(byMilliseconds: 6 * 24 * 60 * 60 * 1000)
            #expect(try await lease(storage, at: later).filter { $0.endpoint.id == dead.id }.isEmpty)
            let enabled = try await storage.endpoints.setEnabled(true, dead.id, in: storage.acme, at: later)
            #expect(enabled?.state == .enabled && enabled?.progress.failures == 0)
            let leased = try #require(try await lease(storage, at: later).first { $0.endpoint.id == dead.id })
            let events = try await follow(storage, from: leased, at: later)
            #expect(
                events.compactMap(\.consent?.content) == [
                    .recorded(first, recipient: try .ana), .recorded(second, recipient: try .bo),
                ])
        },
        Promise("what waits for a relay is known since when; a pause after a failure is no waiting") { storage in
            let deliveries = storage.deliveries
            let one = try await make(storage, [.consentRecorded])
            let two = try await make(storage, [.consentRecorded])
            #expect(try await deliveries.backlog(at: .noon + 9).dueSince == nil)
            try await storage.record(.given, for: .ana)
            #expect(try await deliveries.backlog(at: .noon + 9).dueSince == .noon)
            for leased in try await lease(storage, at: .noon + 10) {
                let isDelivered = leased.endpoint.id == two.id
                let outcome = isDelivered ? DeliveryOutcome.answered(status: 204, retryAfter: nil) : .failed(.tls)
                #expect(try await deliver(storage, leased, outcome, at: .noon + 10).next == nil)
            }
            let due = Timestamp.noon + 1010
            let paused = try await deliveries.backlog(at: due.advanced(byMilliseconds: -1))
            #expect(paused.dueSince == nil && paused.oldestEvent == .noon, "an event waits for the end of the pause")
            #expect(try await deliveries.backlog(at: due + 9).dueSince == due)
            try await storage.record(.withdrawn, for: .ana, at: .noon + 20)
            let both = try await deliveries.backlog(at: .noon + 30)
            #expect(both.dueSince == .noon + 20, "the other one's")
            #expect(both.oldestEvent == .noon)
            for endpoint in [one, two] {
                _ = try await storage.endpoints.setEnabled(false, endpoint.id, in: storage.acme, at: .noon + 30)
            }
            #expect(try await deliveries.backlog(at: due + 9) == DeliveryBacklog(), "one that is off is not behind")
        },
        Promise("interactions wait since the first that an endpoint was not told of, not since the last") { storage in
            let message = try await storage.message()
            try await storage.record(.given, for: .ana)
            let ana = try await storage.reference(of: .ana, message: message)
            try await storage.interactions.store([.click(1, message, ana)], at: .noon)
            try await make(storage, [.interactionsAvailable])
            #expect(try await storage.deliveries.backlog(at: .noon + 9).dueSince == nil)
            for (number, after) in [(2, 100), (3, 5000), (4, 9000)] as [(UInt64, Int64)] {
                try await storage.interactions.store([.click(number, message, ana)], at: .noon + after)
                #expect(try await storage.deliveries.backlog(at: .noon + after).dueSince == .noon + 100)
            }
            let bell = try #require(try await lease(storage, at: .noon + 9000).first)
            #expect(try await deliver(storage, bell, at: .noon + 9000).next == nil)
            #expect(try await storage.deliveries.backlog(at: .noon + 20_000) == DeliveryBacklog())
        },
        Promise("with another URL it is tried at once, and what the former one failed does not count") { storage in
            let made = try await make(storage, [.consentRecorded])
            try await storage.record(.given, for: .ana)
            _ = try await deliver(storage, try #require(try await lease(storage).first), .failed(.tls), at: .noon)
            for change in [EndpointChange(url: made.url), EndpointChange(includesRecipient: true)] {
                let same = try await apply(storage, made.id, by: change, at: .noon + 1)
                #expect(same?.progress.failures == 1 && same?.progress.failingSince == .noon)
                #expect(try await lease(storage, at: .noon + 1).isEmpty)
            }
            let change = EndpointChange(url: try EndpointURL("https://mended.example/hooks"))
            let mended = try await apply(storage, made.id, by: change, at: .noon + 1)
            #expect(mended?.progress == DeliveryProgress(dueAt: .noon + 1))
            let leased = try #require(try await lease(storage, at: .noon + 1).first)
            #expect(leased.endpoint.url.text == "https://mended.example/hooks")
        },
        Promise("a test comes in its turn, behind what waits, and ends the pause after a failure") { storage in
            let made = try await make(storage, [.consentRecorded])
            try await storage.record(.given, for: .ana)
            _ = try await deliver(storage, try #require(try await lease(storage).first), .failed(.tls), at: .noon)
            #expect(try await lease(storage, at: .noon + 1).isEmpty)
            _ = try await storage.endpoints.test(made.id, in: storage.acme, at: .noon + 2)
            try await storage.record(.given, for: .bo, at: .noon + 3)
            let first = try #require(try await lease(storage, at: .noon + 4).first)
            let kinds = try await follow(storage, from: first, at: .noon + 4).map(\.kind)
            #expect(kinds == [.consentRecorded, .endpointTest, .consentRecorded])
        },
    ]
}
