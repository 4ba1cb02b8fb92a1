import Consent
import Identifiers
import TestSupport
import Testing

/// What every storage promises about asking for consent.
package enum ConsentRequestContract {
    package static let promises: [Promise] = asking + pausing + answering + confirming + forgetting

    static let day: Int64 = 86_400_000

    private static let asking: [Promise] = [
        Promise("a request is kept as it was made, for 30 days, and found by its id and by its recipient") { storage in
            let (ana, other) = (try RecipientID.ana, try Purpose("newsletter"))
            let made = try await storage.request(ana, for: [other, .tracking], at: .noon)
            #expect(made.recipient == ana)
            #expect(made.notice == .sample)
            #expect(made.purposes == [AskedPurpose(purpose: other), AskedPurpose(purpose: .tracking)])
            #expect(made.madeAt == .noon)
            #expect(made.expiresAt == .noon + 30 * day)
            #expect(made.state(at: .noon) == .open)
            #expect(made.state(at: .noon + 30 * day) == .expired)
            #expect(try await storage.consentRequests.request(made.id) == made)
            #expect(try await storage.consentRequests.requests(about: ana, in: storage.acme) == [made])
            #expect(try await storage.consentRequests.requests(about: .bo, in: storage.acme).isEmpty)
            #expect(try await storage.consentRequests.requests(about: ana, in: storage.globex).isEmpty)
            let unknown = try #require(ConsentRequestID(rawValue: made.id.rawValue + 1))
            #expect(try await storage.consentRequests.request(unknown) == nil)
        },
        Promise("the requests about a recipient come page by page, oldest first, each once") { storage in
            var made: [ConsentRequestID] = []
            for number in 0..<5 {
                made.append(try await storage.request(.ana, at: .noon + Int64(number) * day).id)
                _ = try await storage.request(.bo, at: .noon + Int64(number) * day)
            }
            var found: [ConsentRequestID] = []
            for size in [2, 2, 1, 0] {
                let page = try await storage.consentRequests.requests(
                    about: .ana, after: found.last, limit: 2, in: storage.acme)
                #expect(page.count == size)
                found += page.map(\.id)
            }
            #expect(found == made)
        },
        Promise("a request is there after closing and opening, and so is its answer") { storage in
            let made = try await storage.request(.ana, at: .noon)
            let answered = try await storage.press(.given, on: made, at: .noon)
            let again = try storage.reopen()
            #expect(try await again.consentRequests.request(made.id) == answered.request)
            #expect(try await again.status(of: .ana) == .inForce(try #require(answered.record).inForce))
        },
        Promise("asking says nothing about consent") { storage in
            _ = try await storage.request(.ana, at: .noon)
            #expect(try await storage.status(of: .ana) == .nothing)
            #expect(try await storage.consents.history(of: .ana, in: storage.acme).isEmpty)
            #expect(storage.observer.take().allSatisfy { if case .changed = $0 { false } else { true } })
        },
        Promise("an organization cannot answer the request of another") { storage in
            let made = try await storage.request(.ana, at: .noon)
            let press = AnswerPress(
                request: made.id, step: .question, purpose: .tracking, answer: .given, evidence: ConsentEvidence())
            #expect(try await storage.consentRequests.answer(press, in: storage.globex, at: .noon) == nil)
            #expect(try await storage.status(of: .ana) == .nothing)
        },
    ]

    private static let answering: [Promise] = [
        Promise("an answer is a consent record, with the notice as evidence, and the observer knows") { storage in
            for (answer, recipient) in [(ConsentAnswer.given, try RecipientID.ana), (.refused, try .bo)] {
                let made = try await storage.request(recipient, at: .noon)
                _ = storage.observer.take()
                let answered = try await storage.press(answer, on: made, at: .noon + 5)
                let record = try #require(answered.record)
                #expect(answered.verdict == .records(answer.state))
                #expect(record.state == answer.state)
                #expect(record.occurredAt == .noon + 5)
                #expect(record.evidence?.method == "consent-request")
                #expect(record.evidence?.notice == ConsentNotice.sample.evidence)
                #expect(try await storage.consents.history(of: recipient, in: storage.acme) == [record])
                #expect(answered.request.state(at: .noon + 5) == .answered)
                #expect(answered.request.purposes.map(\.record) == [record.id])
                #expect(storage.observer.take().count == 1)
            }
        },
        Promise("the same answer twice is one record; the other one changes it, and back") { storage in
            let made = try await storage.request(.ana, at: .noon)
            let answers: [ConsentAnswer] = [.given, .given, .refused, .refused, .given]
            for (offset, answer) in answers.enumerated() {
                try await storage.press(answer, on: made, at: .noon + Int64(offset))
            }
            let history = try await storage.consents.history(of: .ana, in: storage.acme)
            #expect(history.map(\.state) == [.given, .refused, .given])
            let last = try #require(history.last)
            #expect(try await storage.status(of: .ana, at: .noon + 9) == .inForce(last.inForce))
        },
        Promise("a no that is pressed again after a minute is recorded, so an older yes that is reported late loses") {
            storage in
            let (made, minute) = (try await storage.request(.ana, at: .noon), Int64(60_000))
            try await storage.press(.refused, on: made, at: .noon + 1)
            let soon = try await storage.press(.refused, on: made, at: .noon + minute)
            #expect(soon.verdict == .changesNothing(.repeated))
            let again = try await storage.press(.refused, on: made, at: .noon + 3 * minute)
            try await storage.record(.given, for: .ana, occurredAt: .noon + 2 * minute, at: .noon + 4 * minute)
            let record = try #require(again.record)
            #expect(try await storage.status(of: .ana, at: .noon + 4 * minute) == .inForce(record.inForce))
        },
        Promise("a no to `tracking` alone is about opens, too, where a message that asks about them apart records them")
        {
            storage in
            try await storage.record(.given, for: .ana, purpose: .openTracking)
            for recipient in [try RecipientID.ana, try .bo] {
                let made = try await storage.request(recipient, at: .noon)
                let answered = try await storage.press(.refused, on: made, at: .noon + 1)
                #expect(answered.record?.purpose == .tracking)
            }
            #expect(try await storage.status(of: .ana, for: .openTracking, at: .noon + 1).endsTracking)
            #expect(try await storage.status(of: .bo, for: .openTracking, at: .noon + 1) == .nothing)
            let cy = try RecipientID("cy")
            let both = try await storage.request(cy, for: [.tracking, .openTracking], at: .noon)
            try await storage.record(.given, for: cy, purpose: .openTracking)
            try await storage.press(.refused, on: both, for: .tracking, at: .noon + 1)
            #expect(try await !storage.status(of: cy, for: .openTracking, at: .noon + 1).endsTracking)
        },
        Promise("an answer is changed as often as people do; then only a no is recorded") { storage in
            let made = try await storage.request(.ana, at: .noon)
            let answers: [ConsentAnswer] = [.given, .refused]
            for number in 0..<ConsentRequest.maximumRecordCount {
                try await storage.press(answers[number % 2], on: made, at: .noon)
            }
            #expect(try await storage.press(.given, on: made, at: .noon).verdict == .changesNothing(.tooOften))
            let history = try await storage.consents.history(of: .ana, in: storage.acme)
            #expect(history.count == ConsentRequest.maximumRecordCount)
            #expect(history.last?.state == .refused)
        },
        Promise("purposes are answered apart") { storage in
            let other = try Purpose("newsletter")
            let made = try await storage.request(.ana, for: [.tracking, other], at: .noon)
            let first = try await storage.press(.refused, on: made, for: other, at: .noon)
            #expect(first.request.state(at: .noon) == .open)
            #expect(try await storage.status(of: .ana) == .nothing)
            let second = try await storage.press(.given, on: made, for: .tracking, at: .noon)
            #expect(second.request.state(at: .noon) == .answered)
            #expect(second.request.purposes.map(\.recorded) == [.given, .refused])
        },
        Promise("what the page does not ask about, and what came too late, records nothing") { storage in
            let made = try await storage.request(.ana, at: .noon)
            let strange = try await storage.press(.given, on: made, for: try Purpose("newsletter"), at: .noon)
            #expect(strange.verdict == .changesNothing(.notAsked))
            let late = try await storage.press(.given, on: made, at: .noon + 30 * day)
            #expect(late.verdict == .changesNothing(.expired))
            #expect(try await storage.consents.history(of: .ana, in: storage.acme).isEmpty)
        },
    ]
}
