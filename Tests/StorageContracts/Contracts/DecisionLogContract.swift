import Consent
import Identifiers
import TestSupport
import Testing

/// What every `DecisionLog` promises about storing. (For finding see ``DecisionQueryContract``.)
package enum DecisionLogContract {
    package static let promises: [Promise] = [
        Promise("every reason is kept with its enforcement, basis and time") { storage in
            let ana = try RecipientID.ana
            for reason in DecisionReason.allCases {
                for (organization, enforcement, other) in [
                    (storage.acme, Enforcement.restrictive, storage.globex),
                    (storage.globex, .nonRestrictive, storage.acme),
                ] {
                    let message = try await storage.message(purpose: Purpose("offers"), in: organization)
                    let basis = try await storage.record(.given, for: ana, in: organization).id
                    let now = Timestamp.noon + 7
                    let decision = Decision(recipient: ana, verdict: ConsentVerdict(reason: reason, basis: basis))
                    let stored = try await storage.decisions.append(
                        [decision], of: message, in: organization,
                        asOf: storage.basis(in: organization), at: now)[0]
                    let entry = DecisionEntry(
                        id: stored.id, recipient: ana, message: message, purpose: try Purpose("offers"),
                        reason: reason, enforcement: enforcement, consent: basis)
                    #expect(try await storage.decisions.decision(stored.id, in: organization) == entry)
                    #expect(try await storage.decisions.decision(stored.id, in: other) == nil)
                    #expect(entry.decidedAt == now)
                    #expect(stored.reason == reason)
                    #expect((stored.permit == .untracked) == (reason.outcome == .untracked))
                }
            }
        },
        Promise("decisions are returned in the order given, each with a later id") { storage in
            let message = try await storage.message()
            let people = try (0..<300).map { try RecipientID("person\($0)") }
            let stored = try await storage.decide(people.map { ($0, .consentGiven) }, of: message)
            #expect(stored.map(\.id) == stored.map(\.id).sorted())
            #expect(Set(stored.map(\.id)).count == 300)
            #expect(Set(stored.compactMap(\.reference)).count == 300)
            let entries = try await storage.decisions.decisions(
                matching: DecisionQuery(), limit: 300, in: storage.acme)
            #expect(entries.map(\.recipient) == people)
        },
        Promise("a person has one reference, whether a decision or a consent record came first") { storage in
            let (ana, bo, message) = (try RecipientID.ana, try RecipientID.bo, try await storage.message())
            try await storage.record(.given, for: ana)
            let anaChange = try #require(storage.observer.takeChanges().first)
            let decided = try await storage.decide(
                [(ana, .consentGiven), (bo, .consentGiven), (ana, .consentGiven)], of: message)
            try await storage.record(.given, for: bo)
            let boChange = try #require(storage.observer.takeChanges().first)
            #expect(decided.map(\.reference) == [anaChange.reference, boChange.reference, anaChange.reference])
        },
        Promise("the same person has different references in different organizations") { storage in
            let here = try await storage.reference(of: .ana, message: storage.message())
            let there = try await storage.reference(
                of: .ana, message: storage.message(in: storage.globex), in: storage.globex)
            #expect(here != there)
        },
        Promise("a decision is about the person as they are when it is stored, whenever it was asked where they stand")
        {
            storage in
            let (ana, bo) = (try RecipientID.ana, try RecipientID.bo)
            let (here, there) = (try await storage.message(), try await storage.message(in: storage.globex))
            func ask() async throws {
                for organization in [storage.acme, storage.globex] {
                    _ = try await storage.consents.statuses(
                        of: [ana, bo], for: .tracking, in: organization, at: .noon)
                }
            }
            /// The references that the next decisions about the two are made under.
            func references(_ message: MessageID, _ organization: OrganizationID) async throws -> [RecipientReference?]
            {
                try await storage.decide([(ana, .consentGiven), (bo, .consentGiven)], of: message, in: organization)
                    .map(\.reference)
            }
            try await storage.record(.given, for: ana)
            let known = try #require(storage.observer.takeChanges().first).reference
            try await ask()
            // Heard of for the first time in between.
            try await storage.record(.given, for: bo)
            let new = try #require(storage.observer.takeChanges().first).reference
            #expect(try await references(here, storage.acme) == [known, new])
            let others = try await references(there, storage.globex)
            #expect(Set(others).isDisjoint(with: [known, new, nil]))

            try await ask()
            _ = try await storage.consents.erase(ana, in: storage.acme)
            try await storage.record(.given, for: ana)
            let again = try await references(here, storage.acme)
            #expect(again[0] != known && again[1] == new)
            #expect(try await references(there, storage.globex) == others)
        },
        Promise("a verdict older than an erasure is refused as stale, and nothing is stored") { storage in
            let (message, before) = (try await storage.message(), try await storage.basis())
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            await #expect(throws: StaleSnapshot.self) {
                try await storage.decisions.append(
                    [Decision(recipient: .bo, verdict: ConsentVerdict(reason: .noConsentRecord))], of: message,
                    in: storage.acme, asOf: before, at: .noon)
            }
            let all = try await storage.decisions.decisions(matching: DecisionQuery(), limit: 9, in: storage.acme)
            #expect(all.isEmpty)
        },
        Promise("a verdict is judged again when consent was recorded since it was asked, and not otherwise") {
            storage in
            let (ana, bo, message) = (try RecipientID.ana, try RecipientID.bo, try await storage.message())
            let given = try await storage.record(.given, for: ana)
            let before = try await storage.consents.statuses(
                of: [ana, bo], for: .tracking, in: storage.acme, at: .noon)
            let no = try await storage.record(.withdrawn, for: ana, at: .noon + 1)
            // Somebody else's, another purpose's and another organization's change nothing for Bo.
            try await storage.record(.given, for: RecipientID("cy"), at: .noon + 1)
            try await storage.record(.given, for: bo, purpose: Purpose("offers"), at: .noon + 1)
            try await storage.record(.given, for: bo, in: storage.globex, at: .noon + 1)
            let stored = try await storage.decisions.append(
                [
                    Decision(recipient: ana, verdict: ConsentVerdict(reason: .consentGiven, basis: given.id)),
                    Decision(recipient: bo, verdict: ConsentVerdict(reason: .noConsentRecord)),
                    Decision(recipient: ana, verdict: .trackingOff),
                ], of: message, in: storage.acme, asOf: before.basis, at: .noon + 2)
            #expect(stored.map(\.reason) == [.consentWithdrawn, .noConsentRecord, .trackingOffForMessage])
            #expect(stored.allSatisfy { $0.permit == .untracked })
            let entry = try await storage.decisions.decision(stored[0].id, in: storage.acme)
            #expect(entry?.consent == no.id)
            #expect(entry?.decidedAt == .noon + 2)
        },
        Promise("a record later than the time asked about is judged by, although it was stored before it was asked") {
            storage in
            let (ana, bo, message) = (try RecipientID.ana, try RecipientID.bo, try await storage.message())
            let yes = [
                try await storage.record(.given, for: ana), try await storage.record(.given, for: bo),
            ]
            // The caller has read its clock by now, and asks when this is stored.
            try await storage.record(.withdrawn, for: ana, at: .noon + 1)
            let asked = try await storage.consents.statuses(
                of: [ana, bo], for: .tracking, in: storage.acme, at: .noon)
            #expect(asked.statuses == yes.map { .inForce($0.inForce) })
            let stored = try await storage.decisions.append(
                zip([ana, bo], yes).map { recipient, record in
                    Decision(recipient: recipient, verdict: ConsentVerdict(reason: .consentGiven, basis: record.id))
                }, of: message, in: storage.acme, asOf: asked.basis, at: .noon + 2)
            #expect(stored.map(\.reason) == [.consentWithdrawn, .consentGiven])
        },
        Promise("somebody not known when it was asked is judged by what was recorded since") { storage in
            let (ana, message) = (try RecipientID.ana, try await storage.message(in: storage.globex))
            let before = try await storage.consents.statuses(of: [ana], for: .tracking, in: storage.globex, at: .noon)
            try await storage.record(.refused, for: ana, in: storage.globex)
            let stored = try await storage.decisions.append(
                [Decision(recipient: ana, verdict: ConsentVerdict(reason: .notOptedOut))], of: message,
                in: storage.globex, asOf: before.basis, at: .noon)
            #expect(stored.map(\.reason) == [.consentRefused])
        },
        Promise("a consent that ended since it was asked is over when the decision is stored") { storage in
            let (ana, message) = (try RecipientID.ana, try await storage.message())
            let given = try await storage.record(.given, for: ana, validUntil: .noon + 10)
            for (now, reason) in [(Timestamp.noon + 9, DecisionReason.consentGiven), (.noon + 10, .consentExpired)] {
                let asked = try await storage.consents.statuses(
                    of: [ana], for: .tracking, in: storage.acme, at: .noon + 8)
                let stored = try await storage.decisions.append(
                    [Decision(recipient: ana, verdict: ConsentVerdict(reason: .consentGiven, basis: given.id))],
                    of: message,
                    in: storage.acme, asOf: asked.basis, at: now)
                #expect(stored.map(\.reason) == [reason])
            }
        },
        Promise("a decision about a message of another organization is refused") { storage in
            let foreign = try await storage.message(in: storage.globex)
            await #expect(throws: (any Error).self) {
                try await storage.decide([(try .ana, .noConsentRecord)], of: foreign)
            }
        },
        Promise("decisions are counted by reason and message, for their organization alone") { storage in
            let (first, second) = (try await storage.message("first"), try await storage.message("second"))
            let (ana, bo) = (try RecipientID.ana, try RecipientID.bo)
            try await storage.decide([(ana, .consentGiven), (bo, .consentRefused)], of: first)
            try await storage.decide([(ana, .consentGiven), (bo, .consentGiven)], of: first)
            try await storage.decide([(ana, .noConsentRecord)], of: second)
            #expect(
                try await storage.decisionCounts(of: first)
                    == [.consentGiven: 3, .consentRefused: 1])
            #expect(try await storage.decisionCounts(of: second) == [.noConsentRecord: 1])
            #expect(try await storage.decisionCounts(of: second, in: storage.globex).isEmpty)
        },
        Promise("an empty batch is stored as nothing") { storage async throws in
            #expect(try await storage.decide([], of: storage.message()).isEmpty)
        },
    ]
}
