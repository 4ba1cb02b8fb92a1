import Consent
import Identifiers
import Organizations
import TestSupport
import Testing

extension ConsentRequestContract {
    static let forgetting: [Promise] = [
        Promise("erasing cuts the requests from their recipient; nobody can answer them, and nobody may ask") {
            storage in
            let made = try await storage.request(.ana, needsConfirmation: true, at: .noon)
            let others = try await storage.request(.bo, at: .noon)
            try await storage.press(.given, on: made, at: .noon)
            _ = try await storage.consents.erase(.ana, in: storage.acme)

            let found = try await storage.consentRequests.request(made.id)
            let left = try #require(found)
            #expect(left.recipient == nil)
            #expect(left.state(at: .noon) == .erased)
            #expect(left.purposes == [AskedPurpose(purpose: .tracking)])
            #expect(try await storage.waiting().isEmpty)
            let pressed = try await storage.press(.given, on: made, .confirmation, at: .noon)
            #expect(pressed.verdict == .changesNothing(.erased))
            #expect(try await storage.ask(.ana, at: .noon + 1) == .refused(.erased))
            #expect(try await storage.consentRequests.requests(about: .ana, in: storage.acme).isEmpty)
            #expect(try await storage.consentRequests.request(others.id) == others)
            try await storage.record(.given, for: .ana)
            guard case .made = try await storage.ask(.ana, at: .noon + 2) else {
                Issue.record("somebody who consented anew is not asked")
                return
            }
        },
        Promise("a notice that only an erased recipient was shown is forgotten, one that others were is not") {
            storage in
            let made = try await storage.request(.ana, notice: .sample("Dear Ana of Harbour Street 5"), at: .noon)
            let shared = [
                try await storage.request(.ana, at: .noon), try await storage.request(.bo, at: .noon),
            ]
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            #expect(try await storage.consentRequests.request(made.id)?.notice == nil)
            #expect(try await storage.consentRequests.request(shared[1].id)?.notice == .sample)
        },
        Promise("requests go once they say nothing more of whom to leave alone; their records stay") { storage in
            let made = try await storage.request(.ana, at: .noon)
            try await storage.press(.refused, on: made, at: .noon)
            let due = .noon + 180 * day
            #expect(try await storage.retention.nextDue(in: storage.acme) == due)
            _ = try await storage.purge(storage.acme, at: due, limit: 10)
            #expect(try await storage.consentRequests.request(made.id) != nil)
            let step = try await storage.purge(storage.acme, at: due + 1, limit: 10)
            #expect(step.isLast)
            #expect(try await storage.consentRequests.request(made.id) == nil)
            #expect(try await storage.retention.nextDue(in: storage.acme) == nil)
            #expect(try await storage.consents.history(of: .ana, in: storage.acme).map(\.state) == [.refused])
        },
    ]
}
