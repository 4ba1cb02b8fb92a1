import Consent
import Identifiers
import TestSupport
import Testing

extension ConsentRequestContract {
    static let confirming: [Promise] = [
        Promise("a yes counts only after the second link; a no counts at once, on either page") { storage in
            let made = try await storage.request(.ana, needsConfirmation: true, at: .noon)
            let early = try await storage.press(.given, on: made, .confirmation, at: .noon)
            #expect(early.verdict == .changesNothing(.notAsked), "the second page asks what was answered on the first")
            let first = try await storage.press(.given, on: made, at: .noon)
            #expect(first.verdict == .awaitsConfirmation)
            #expect(first.request.state(at: .noon) == .awaitingConfirmation)
            #expect(try await storage.status(of: .ana) == .nothing)
            let again = try await storage.press(.given, on: made, at: .noon)
            #expect(again.verdict == .changesNothing(.repeated))
            let second = try await storage.press(.given, on: made, .confirmation, at: .noon + 1)
            #expect(second.verdict == .records(.given))
            #expect(second.request.state(at: .noon + 1) == .answered)
            try await storage.press(.refused, on: made, at: .noon + 2)
            let history = try await storage.consents.history(of: .ana, in: storage.acme)
            #expect(history.map(\.state) == [.given, .refused])
            let third = try await storage.press(.given, on: made, at: .noon + 3)
            #expect(third.verdict == .awaitsConfirmation)
        },
        Promise("requests that wait are listed in the order in which they came to, each once for a reader") { storage in
            let people = try (0..<5).map { try RecipientID("person-\($0)@people.example") }
            var made: [ConsentRequest] = []
            for person in people {
                made.append(try await storage.request(person, needsConfirmation: true, at: .noon))
            }
            for number in [3, 1, 4] { try await storage.press(.given, on: made[number], at: .noon) }
            let first = try await storage.waiting(limit: 2)
            #expect(first.map(\.id) == [made[3].id, made[1].id])
            // What is confirmed, and what was taken back, waits no longer.
            try await storage.press(.given, on: made[4], .confirmation, at: .noon)
            try await storage.press(.refused, on: made[3], at: .noon)
            try await storage.press(.given, on: made[0], at: .noon)
            let next = try await storage.waiting(after: first.last?.confirmationPosition)
            #expect(next.map(\.id) == [made[0].id])
            #expect(try await storage.waiting().map(\.id) == [made[1].id, made[0].id])
            #expect(try await storage.waiting(at: .noon + 30 * day).isEmpty)
            let again = try storage.reopen()
            try await again.press(.given, on: made[2], at: .noon)
            #expect(try await again.waiting(after: next.last?.confirmationPosition).map(\.id) == [made[2].id])
        },
        Promise("a request is listed again when another of its purposes comes to wait, or one for the second time") {
            storage in
            let other = try Purpose("newsletter")
            let ana = try await storage.request(.ana, for: [.tracking, other], needsConfirmation: true, at: .noon)
            try await storage.press(.given, on: ana, at: .noon)
            let first = try await storage.waiting().last?.confirmationPosition
            try await storage.press(.given, on: ana, for: other, at: .noon)
            let second = try await storage.waiting(after: first)
            #expect(second.map(\.id) == [ana.id])
            let position = second.last?.confirmationPosition
            try await storage.press(.given, on: ana, for: other, at: .noon)
            try await storage.press(.given, on: ana, .confirmation, at: .noon)
            #expect(try await storage.waiting(after: position).isEmpty, "nothing came to wait")
            try await storage.press(.refused, on: ana, at: .noon)
            try await storage.press(.given, on: ana, at: .noon)
            let third = try await storage.waiting(after: position)
            #expect(third.map(\.id) == [ana.id])
            #expect(try await storage.waiting().map(\.id) == [ana.id])
        },
        Promise("a request that waits again, after it was closed from elsewhere, is listed after what was read") {
            storage in
            let other = try Purpose("newsletter")
            let ana = try await storage.request(.ana, for: [.tracking, other], needsConfirmation: true, at: .noon)
            let bo = try await storage.request(.bo, needsConfirmation: true, at: .noon)
            try await storage.press(.given, on: ana, at: .noon)
            try await storage.record(.withdrawn, for: .ana, at: .noon)
            try await storage.press(.given, on: bo, at: .noon)
            let read = try await storage.waiting()
            #expect(read.map(\.id) == [bo.id])
            try await storage.press(.given, on: ana, for: other, at: .noon)
            #expect(try await storage.waiting(after: read.last?.confirmationPosition).map(\.id) == [ana.id])
        },
    ]
}

extension StorageUnderTest {
    func waiting(
        after position: TimeOrderedNumber? = nil, limit: Int = 9, at now: Timestamp = .noon
    ) async throws -> [ConsentRequest] {
        try await consentRequests.awaitingConfirmation(after: position, limit: limit, in: acme, at: now)
    }
}
