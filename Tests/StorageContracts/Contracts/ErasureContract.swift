import Consent
import Identifiers
import Interactions
import TestSupport
import Testing

/// What every storage promises about forgetting people, and about those who come back.
package enum ErasureContract {
    package static let promises: [Promise] = forgetting + named + comingBack

    private static let nothing = ErasureCounts(consents: 0, decisions: 0, interactions: 0)

    private static let forgetting: [Promise] = [
        Promise("erasing says how much lost its person, and leaves nothing that names them") { storage in
            let (ana, message) = (try RecipientID.ana, try await storage.message())
            let record = try await storage.record(
                .given, for: ana, evidence: ConsentEvidence(source: "https://ana.example"))
            try await storage.record(.withdrawn, for: ana)
            let decided = try await storage.decide(
                [(ana, .consentGiven), (try .bo, .noConsentRecord), (ana, .consentWithdrawn)], of: message)
            let reference = try #require(decided[0].reference)
            try await storage.interactions.store([.click(1, message, reference)], at: .noon)
            _ = storage.observer.take()

            let erasure = try await storage.consents.erase(ana, in: storage.acme)

            #expect(erasure == ErasureCounts(consents: 2, decisions: 2, interactions: 1))
            #expect(storage.observer.take() == [.erased(reference, storage.acme)])
            #expect(try await storage.status(of: ana) == .erased)
            #expect(try await storage.status(of: reference) == .erased)
            #expect(try await storage.consents.history(of: ana, in: storage.acme).isEmpty)
            let left = try #require(try await storage.consents.record(record.id, in: storage.acme))
            #expect(left.evidence == nil)
            #expect(left.state == .given)
            let entries = try await storage.decisions.decisions(
                matching: DecisionQuery(), limit: 9, in: storage.acme)
            #expect(try entries.map(\.recipient) == [nil, .bo, nil])
            #expect(entries.allSatisfy { $0.consent == nil })
            let interactions = try await storage.interactions.interactions(
                matching: InteractionQuery(), limit: 9, in: storage.acme)
            #expect(interactions.map(\.recipient) == [nil])
            #expect(try await storage.decisionCounts(of: message).values.reduce(0, +) == 3)
        },
        Promise("nobody else is touched, not even the same person in another organization") { storage in
            let (ana, bo) = (try RecipientID.ana, try RecipientID.bo)
            try await storage.record(.given, for: ana)
            let others = try await storage.record(.given, for: bo)
            let elsewhere = try await storage.record(.given, for: ana, in: storage.globex)
            let elsewhereBefore = try await storage.epoch(in: storage.globex)
            _ = try await storage.consents.erase(ana, in: storage.acme)
            #expect(try await storage.status(of: bo) == .inForce(others.inForce))
            #expect(try await storage.status(of: ana, in: storage.globex) == .inForce(elsewhere.inForce))
            #expect(try await storage.epoch(in: storage.globex) == elsewhereBefore)
        },
        Promise("erasing is counted, and a second time it changes nothing") { storage in
            let ana = try RecipientID.ana
            try await storage.record(.given, for: ana)
            let before = try await storage.epoch()
            _ = try await storage.consents.erase(ana, in: storage.acme)
            let after = try await storage.epoch()
            #expect(after != before)
            _ = storage.observer.take()
            #expect(try await storage.consents.erase(ana, in: storage.acme) == nothing)
            #expect(try await storage.epoch() == after)
            #expect(storage.observer.take().isEmpty)
        },
        Promise("somebody who was never heard of can be erased ahead") { storage in
            let before = try await storage.epoch()
            #expect(try await storage.consents.erase(.ana, in: storage.acme) == nothing)
            #expect(try await storage.status(of: .ana) == .erased)
            #expect(try await storage.epoch() != before)
        },
        Promise("a reference that never was is nobody's") { storage in
            let unknown = try #require(RecipientReference(rawValue: 42))
            #expect(try await storage.status(of: unknown) == .erased)
        },
        Promise("references are answered as of each question's own moment") { storage in
            let (ana, message) = (try RecipientID.ana, try await storage.message())
            let given = try await storage.record(.given, for: ana, occurredAt: .noon + -1000)
            let reference = try await storage.reference(of: ana, message: message)
            let withdrawn = try await storage.record(.withdrawn, for: ana, occurredAt: .noon)
            let offers = try Purpose("offers")
            let instants: [(Purpose, Timestamp)] = [
                (.tracking, .noon), (.tracking, .noon + -1), (.tracking, .noon + -2000), (offers, .noon),
            ]
            let answers = try await storage.consents.statuses(
                of: instants.map { ReferenceQuestion(reference: reference, purpose: $0, instant: $1) })
            #expect(answers == [.inForce(withdrawn.inForce), .inForce(given.inForce), .nothing, .nothing])
        },
    ]

    private static let named: [Promise] = [
        Promise("whichever organization a question about a reference names, its answer is the same") { storage in
            let message = try await storage.message()
            var references: [RecipientReference] = []
            for (name, state) in [("a", ConsentState.given), ("b", .withdrawn), ("c", nil), ("d", .given)] {
                let recipient = try RecipientID(name)
                references.append(try await storage.reference(of: recipient, message: message))
                if let state { try await storage.record(state, for: recipient) }
            }
            _ = try await storage.consents.erase(RecipientID("d"), in: storage.acme)
            references.append(try #require(RecipientReference(rawValue: 42)))
            let plain = references.map { ReferenceQuestion(reference: $0, purpose: .tracking, instant: .noon) }
            let answers = try await storage.consents.statuses(of: plain)
            #expect(answers.map(\.endsTracking) == [false, true, false, true, true])
            #expect(answers[2...] == [.nothing, .erased, .erased])
            for organization in [storage.acme, storage.globex, try OrganizationID("nobody")] {
                let questions = references.map {
                    ReferenceQuestion(
                        reference: $0, purpose: .tracking, instant: .noon, organization: organization)
                }
                #expect(try await storage.consents.statuses(of: questions) == answers, "\(organization)")
                #expect(
                    try await storage.consents.statuses(of: questions.reversed()) == answers.reversed(),
                    "\(organization)")
            }
        }
    ]

    private static let comingBack: [Promise] = [
        Promise("a new grant makes somebody known again, under a new reference") { storage in
            let (ana, message) = (try RecipientID.ana, try await storage.message())
            try await storage.record(.given, for: ana)
            let old = try await storage.reference(of: ana, message: message)
            _ = try await storage.consents.erase(ana, in: storage.acme)
            _ = storage.observer.take()
            let again = try await storage.record(.given, for: ana)
            let change = try #require(storage.observer.takeChanges().first)
            #expect(change.reference != old)
            #expect(try await storage.status(of: ana) == .inForce(again.inForce))
            #expect(try await storage.status(of: ana, for: Purpose("offers")) == .nothing)
            #expect(try await storage.status(of: old) == .erased)
            #expect(try await storage.status(of: change.reference) == .inForce(again.inForce))
            #expect(try await storage.reference(of: ana, message: message) == change.reference)
        },
        Promise("any other record about somebody erased is in force but does not make them known") { storage in
            let (ana, offers) = (try RecipientID.ana, try Purpose("offers"))
            _ = try await storage.consents.erase(ana, in: storage.acme)
            let refused = try await storage.record(.refused, for: ana)
            let reference = try #require(storage.observer.takeChanges().first?.reference)
            #expect(try await storage.status(of: ana) == .inForce(refused.inForce))
            #expect(try await storage.status(of: ana, for: offers) == .erased)
            #expect(try await storage.status(of: reference, for: offers) == .erased)
            try await storage.record(.given, for: ana, at: .noon + 1)
            #expect(try await storage.status(of: ana, for: offers, at: .noon + 1) == .nothing)
            #expect(try await storage.status(of: reference, for: offers, at: .noon + 1) == .nothing)
        },
        Promise("a grant that had ended when it was recorded makes nobody known, and a check of the ledger agrees") {
            storage in
            let (ana, offers, end) = (try RecipientID.ana, try Purpose("offers"), Timestamp.noon + -1)
            _ = try await storage.consents.erase(ana, in: storage.acme)
            try await storage.record(.given, for: ana, occurredAt: end + -1, validUntil: end)
            let reference = try #require(storage.observer.takeChanges().first?.reference)
            for purpose in [Purpose.tracking, offers] {
                #expect(try await storage.status(of: ana, for: purpose) == .erased, "\(purpose)")
                #expect(try await storage.status(of: reference, for: purpose) == .erased, "\(purpose)")
            }
            try await storage.decide([(ana, .recipientErased)], of: try await storage.message())
            #expect(try await storage.pass().findings == [])

            let last = try await storage.record(.given, for: ana, purpose: offers, validUntil: .noon + 1)
            #expect(try await storage.status(of: ana, for: offers) == .inForce(last.inForce))
            #expect(try await storage.status(of: ana) != .erased)
            #expect(try await storage.status(of: reference) != .erased)
            #expect(try await storage.status(of: ana, for: offers, at: .noon + 1) == .inForce(last.inForce))
        },
        Promise("somebody can be erased again after they came back") { storage in
            let ana = try RecipientID.ana
            try await storage.record(.given, for: ana)
            _ = try await storage.consents.erase(ana, in: storage.acme)
            try await storage.record(.refused, for: ana)
            let before = try await storage.epoch()
            let erasure = try await storage.consents.erase(ana, in: storage.acme)
            #expect(erasure.consents == 1)
            #expect(try await storage.epoch() != before)
            #expect(try await storage.status(of: ana) == .erased)
        },
        Promise("a decision about somebody erased names nobody and makes no reference") { storage in
            let (ana, message) = (try RecipientID.ana, try await storage.message())
            _ = try await storage.consents.erase(ana, in: storage.acme)
            let decision = try await storage.decide([(ana, .recipientErased)], of: message)[0]
            #expect(decision.permit == .untracked)
            let entry = try #require(try await storage.decisions.decision(decision.id, in: storage.acme))
            #expect(entry.recipient == nil)
            #expect(entry.reason == .recipientErased)
            let about = DecisionQuery(recipient: ana)
            #expect(try await storage.decisions.decisions(matching: about, limit: 9, in: storage.acme).isEmpty)
        },
        Promise("a decision to track somebody erased is refused as stale, and nothing of its batch is stored") {
            storage in
            let message = try await storage.message()
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            await #expect(throws: StaleSnapshot.self) {
                try await storage.decide([(try .bo, .noConsentRecord), (try .ana, .consentGiven)], of: message)
            }
            let all = try await storage.decisions.decisions(matching: DecisionQuery(), limit: 9, in: storage.acme)
            #expect(all.isEmpty)
            #expect(try await storage.decisionCounts(of: message).isEmpty)
        },
    ]
}
