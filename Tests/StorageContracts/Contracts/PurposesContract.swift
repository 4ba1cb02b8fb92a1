import Consent
import Identifiers
import Interactions
import Ledger
import Messages
import Organizations
import Reports
import StoragePorts
import TestSupport
import Testing

/// What every storage promises about messages that ask consent for clicks and opens apart.
package enum PurposesContract {
    package static let promises: [Promise] = [
        Promise("a message keeps both purposes, and equal ones are one") { storage in
            let purposes = try MessagePurposes(clicks: .tracking, opens: Purpose("opens"))
            let id = try await storage.message(purposes)
            #expect(try await storage.messages.message(id)?.content.purposes == purposes)
            let listed = try await storage.messages.messages(matching: MessageQuery(), limit: 9, in: storage.acme)
            #expect(listed?.map(\.purposes) == [purposes])
            #expect(try await storage.message(purposes) == id)
            let shared = try await storage.message(MessagePurposes(clicks: .tracking, opens: .tracking))
            #expect(shared != id)
            #expect(try await storage.message(.tracking) == shared)
        },
        Promise("where recipients stand is answered for every purpose, in one order and in one snapshot") { storage in
            let opens = try Purpose("opens")
            let yes = try await storage.record(.given, for: .ana)
            let no = try await storage.record(.refused, for: .bo, purpose: opens)
            let answer = try await storage.consents.statuses(
                of: [.ana, .bo, RecipientID("cy")], for: [.tracking, opens], in: storage.acme, at: .noon)
            #expect(
                answer.statuses == [
                    .inForce(yes.inForce), .nothing, .nothing, .inForce(no.inForce), .nothing, .nothing,
                ])
        },
        Promise("the purposes with records of an organization are known, however few are counted") { storage in
            let purposes = try (0..<6).map { try Purpose("purpose-\($0)") }
            for purpose in purposes.dropLast() { try await storage.record(.given, for: .ana, purpose: purpose) }
            try await storage.record(.refused, for: .bo, purpose: purposes[5])
            let theirs = try Purpose("theirs")
            try await storage.record(.given, for: .ana, purpose: theirs, in: storage.globex)
            // A message's purpose has no records yet.
            let asked = try Purpose("asked")
            _ = try await storage.message("asked", purpose: asked)
            let all = Set(purposes + [theirs, asked, try Purpose("never")])
            for (limit, count) in [(1_000, 6), (7, 6), (6, 6), (3, 3), (1, 1)] {
                let found = try await storage.consents.recordedPurposes(among: all, in: storage.acme, limit: limit)
                #expect(found == RecordedPurposes(known: Set(purposes), count: count), "\(limit)")
            }
            let few = try await storage.consents.recordedPurposes(among: [purposes[5]], in: storage.globex, limit: 9)
            #expect(few == RecordedPurposes(known: [], count: 1))
            let nobody = try await storage.consents.recordedPurposes(
                among: all, in: OrganizationID("nobody"), limit: 9)
            #expect(nobody == RecordedPurposes(known: [], count: 0))
        },
        Promise("two decisions about a recipient are stored together, each for its purpose") { storage in
            let purposes = try MessagePurposes(clicks: .tracking, opens: Purpose("opens"))
            let message = try await storage.message(purposes)
            let stored = try await storage.decideApart(
                [(.ana, .consentGiven, .consentRefused), (.bo, .noConsentRecord, .consentGiven)], of: message)
            let read = try await storage.decisions.decisions(
                from: stored[0].id, through: stored[3].id, in: storage.acme)
            #expect(read == stored)
            #expect(stored.map(\.reason) == [.consentGiven, .consentRefused, .noConsentRecord, .consentGiven])
            #expect(stored.map { $0.permit == .untracked } == [false, true, true, false])
            let entries = try await storage.decisions.decisions(
                matching: DecisionQuery(message: message), limit: 9, in: storage.acme)
            #expect(entries.map(\.id) == stored.map(\.id))
            #expect(entries.map(\.activity) == [.clicks, .opens, .clicks, .opens])
            #expect(entries.map(\.purpose) == [purposes.clicks, purposes.opens, purposes.clicks, purposes.opens])
            #expect(entries.map(\.recipient) == [try .ana, try .ana, try .bo, try .bo])
        },
        Promise("decisions that are not about what their message asks for are refused, and none is stored") {
            storage in
            let apart = try await storage.message(MessagePurposes(clicks: .tracking, opens: Purpose("opens")))
            let together = try await storage.message(.tracking)
            let (clicks, opens): (TrackedActivity?, TrackedActivity?) = (.clicks, .opens)
            for (message, activities) in [
                (apart, [nil]), (apart, [clicks]), (apart, [opens, clicks]), (apart, [clicks, clicks]),
                (apart, [clicks, opens, clicks]), (together, [clicks]), (together, [clicks, opens]),
                (together, [opens]),
            ] {
                let decisions = try activities.map {
                    Decision(recipient: try .ana, activity: $0, verdict: ConsentVerdict(reason: .noConsentRecord))
                }
                await #expect(throws: (any Error).self) {
                    try await storage.decisions.append(
                        decisions, of: message, in: storage.acme, asOf: storage.basis(), at: .noon)
                }
            }
            let all = try await storage.decisions.decisions(matching: DecisionQuery(), limit: 9, in: storage.acme)
            #expect(all.isEmpty)
        },
        Promise("a verdict is judged again by what was recorded for its own purpose since") { storage in
            let opens = try Purpose("opens")
            let message = try await storage.message(MessagePurposes(clicks: .tracking, opens: opens))
            let yes = try await storage.record(.given, for: .ana)
            let other = try await storage.record(.given, for: .ana, purpose: opens)
            let asked = try await storage.consents.statuses(
                of: [.ana], for: [.tracking, opens], in: storage.acme, at: .noon)
            try await storage.record(.withdrawn, for: .ana, purpose: opens, at: .noon + 1)
            let stored = try await storage.decisions.append(
                [
                    Decision(
                        recipient: try .ana, activity: .clicks,
                        verdict: ConsentVerdict(reason: .consentGiven, basis: yes.id)),
                    Decision(
                        recipient: try .ana, activity: .opens,
                        verdict: ConsentVerdict(reason: .consentGiven, basis: other.id)),
                ], of: message, in: storage.acme, asOf: asked.basis, at: .noon + 2)
            #expect(stored.map(\.reason) == [.consentGiven, .consentWithdrawn])
        },
        Promise("an answer about several purposes is used for the decisions that follow, about whom it was") {
            storage in
            let opens = try Purpose("opens")
            let message = try await storage.message(MessagePurposes(clicks: .tracking, opens: opens))
            try await storage.record(.given, for: .ana)
            try await storage.record(.given, for: .bo, purpose: opens)
            let asked = try await storage.consents.statuses(
                of: [.ana, .bo], for: [.tracking, opens], in: storage.acme, at: .noon)
            let stored = try await storage.decideApart(
                [(.ana, .consentGiven, .noConsentRecord), (.bo, .noConsentRecord, .consentGiven)], of: message,
                asOf: asked.basis)
            let ana = try await storage.status(of: #require(stored[0].reference), for: .tracking)
            let bo = try await storage.status(of: #require(stored[3].reference), for: opens)
            #expect(ana == asked.statuses[0] && bo == asked.statuses[3])
            #expect(stored[0].reference != stored[3].reference)
        },
        Promise("a withdrawal for several purposes is recorded for those that it still ends, at one instant") {
            storage in
            let opens = try Purpose("opens")
            let message = try await storage.message(MessagePurposes(clicks: .tracking, opens: opens))
            try await storage.record(.given, for: .ana)
            let stored = try await storage.decideApart([(.ana, .consentGiven, .noConsentRecord)], of: message)
            let reference = try #require(stored[0].reference)
            _ = storage.observer.take()
            func withdraw(_ purposes: [Purpose], at now: Timestamp) async throws -> [Withdrawal] {
                try await storage.consents.withdraw(
                    reference, for: purposes, evidence: ConsentEvidence(method: "page"), in: storage.acme, at: now)
            }
            #expect(try await withdraw([], at: .noon + 1).isEmpty)
            let made = try await withdraw([.tracking, opens], at: .noon + 1)
            let records = made.compactMap { if case .recorded(let record) = $0 { record } else { nil } }
            #expect(records.map(\.purpose) == [.tracking, opens])
            #expect(records.allSatisfy { $0.state == .withdrawn && $0.recordedAt == .noon + 1 })
            #expect(Set(storage.observer.takeChanges().map(\.purpose)) == [.tracking, opens])
            #expect(try await withdraw([opens, .tracking], at: .noon + 2) == [.hadEnded, .hadEnded])
            let again = try await storage.record(.given, for: .ana, purpose: opens, at: .noon + 3)
            #expect(again.state == .given)
            let half = try await withdraw([.tracking, opens], at: .noon + 4)
            #expect(half.first == .hadEnded && half.last != .hadEnded)
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            #expect(try await withdraw([.tracking, opens], at: .noon + 5) == [.noRecipient, .noRecipient])
        },
        Promise("the observer learns whom a decision tracks for one activity while nothing was said about the other") {
            storage in
            let opens = try Purpose("opens")
            let message = try await storage.message(MessagePurposes(clicks: .tracking, opens: opens))
            _ = storage.observer.take()
            let stored = try await storage.decideApart(
                [
                    (.ana, .consentGiven, .noConsentRecord), (.bo, .noConsentRecord, .consentGiven),
                    (RecipientID("cy"), .consentGiven, .consentRefused),
                    (RecipientID("di"), .consentGiven, .consentGiven),
                    (RecipientID("ed"), .noConsentRecord, .noConsentRecord),
                ], of: message)
            let (ana, bo) = (try #require(stored[0].reference), try #require(stored[3].reference))
            let changes = storage.observer.takeChanges()
            #expect(Set(changes.map(\.reference)) == [ana, bo] && changes.count == 2)
            #expect(changes.map(\.purpose) == [opens, .tracking])
            #expect(changes.allSatisfy { $0.status == .nothing })
            // Whoever starts later learns it too.
            let rules = try #require(
                try await storage.reopen().rules.snapshot().organizations.first { $0.organization == storage.acme })
            #expect(
                rules.ends == [
                    .purpose(opens): [RecordingEnd(reference: ana, end: .distantPast)],
                    .purpose(.tracking): [RecordingEnd(reference: bo, end: .distantPast)],
                ])
        },
        Promise("a no to opens apart from links is told of as one whatever the enforcement, and silence is not") {
            storage in
            let apart = try await storage.message(MessagePurposes(clicks: .tracking, opens: .openTracking))
            try await storage.record(.given, for: .ana)
            let silent = try #require(
                try await storage.decideApart([(.ana, .consentGiven, .noConsentRecord)], of: apart)[0].reference)
            let refused = try await storage.say("refused", [.given, .refused])
            let withdrawn = try await storage.say("withdrawn", [.given, .withdrawn])
            let others = [
                silent, try await storage.say("given", [.refused, .given]),
                try await storage.say("ended", [.refused, .given], until: .noon + -5),
                try await storage.say("ends", [.given], until: .noon + 5000),
            ]
            for enforcement in [Enforcement.restrictive, .nonRestrictive, .restrictive] {
                _ = try await storage.organizations.change(
                    storage.acme, by: OrganizationChange(enforcement: enforcement), at: .noon)
                let snapshot = RecordingObserver()
                for rules in try await storage.rules.snapshot().organizations {
                    for change in rules.changes { change.notify(snapshot, snapshot) }
                }
                let rules = RulesInMemory(snapshot.events)
                func end(_ reference: RecipientReference) -> Timestamp? {
                    rules.recordingEnd(of: RulesInMemory.Subject(reference, .refusedOpens), in: storage.acme)
                }
                #expect(end(refused) == .distantPast && end(withdrawn) == .distantPast)
                #expect(others.allSatisfy { end($0) == nil })
                let own = RulesInMemory.Subject(silent, .purpose(.openTracking))
                let ended = rules.recordingEnd(of: own, in: storage.acme) != nil
                #expect(ended == (enforcement == .restrictive), "silence ends what asks for this purpose")
            }
        },
        Promise("people count under the decision about each activity, in one message and in several") { storage in
            let apart = try await storage.message(MessagePurposes(clicks: .tracking, opens: Purpose("opens")))
            try await storage.decideApart(
                [
                    (.ana, .consentGiven, .consentRefused), (.bo, .consentGiven, .consentGiven),
                    (RecipientID("cy"), .noConsentRecord, .consentRefused),
                ], of: apart)
            let report = try #require(try await storage.reports.counts(of: apart, in: storage.acme))
            let clicks: [DecisionReason: Int] = [.consentGiven: 2, .noConsentRecord: 1]
            let opens: [DecisionReason: Int] = [.consentGiven: 1, .consentRefused: 2]
            #expect(report.people == .apart(clicks: clicks, opens: opens))
            #expect(report.decisions == [.consentGiven: 3, .noConsentRecord: 1, .consentRefused: 2])

            let together = try await storage.message(.tracking)
            try await storage.decide([(.ana, .noConsentRecord), (RecipientID("cy"), .consentGiven)], of: together)
            let selection = try ReportSelection(from: .noon, to: .noon + 1, now: .noon)
            let campaign = try await storage.reports.counts(of: selection, in: storage.acme)
            #expect(campaign.figures.composed == 3)
            #expect(campaign.figures.tracked == .apart(clicks: 3, opens: 2))
            #expect(campaign.figures.untracked == .apart(clicks: [:], opens: [.noConsentRecord: 1]))
            #expect(campaign.purposes == .apart(clicks: [.tracking], opens: [try Purpose("opens"), .tracking]))

            // Numbers stay, and nothing says any more who was counted.
            _ = try await storage.consents.erase(.bo, in: storage.acme)
            #expect(try await storage.reports.counts(of: apart, in: storage.acme)?.people == report.people)
        },
        Promise("erasing somebody takes their name from both decisions, and the ledger stays as it was") { storage in
            let message = try await storage.message(MessagePurposes(clicks: .tracking, opens: Purpose("opens")))
            let stored = try await storage.decideApart([(.ana, .consentGiven, .consentGiven)], of: message)
            let before = try await storage.entries()
            #expect(try await storage.consents.erase(.ana, in: storage.acme).decisions == 2)
            for decision in stored {
                let entry = try #require(try await storage.decisions.decision(decision.id, in: storage.acme))
                #expect(entry.recipient == nil && entry.activity != nil)
            }
            #expect(try await storage.entries().prefix(before.count) == before[...])
            try await storage.checkTree()
            var position = LedgerCheckPosition?.some(.start)
            while let next = position {
                let step = try await storage.ledgers.check(from: next)
                #expect(step.finding == nil)
                position = step.next
            }
        },
    ]
}

extension StorageUnderTest {
    fileprivate func message(_ purposes: MessagePurposes) async throws -> MessageID {
        var content = Message(name: "apart")
        content.purposes = purposes
        return try await messages.save(content, in: acme, at: .noon).message.id
    }

    /// Records about opens apart, in turn; the last one counts.
    /// - Parameter end: of what is given.
    fileprivate func say(
        _ name: String, _ states: [ConsentState], until end: Timestamp? = nil
    ) async throws -> RecipientReference {
        for (number, state) in states.enumerated() {
            try await record(
                state, for: RecipientID(name), purpose: .openTracking, occurredAt: .noon + Int64(number - 10),
                validUntil: state == .given ? end : nil)
        }
        return try #require(observer.takeChanges().last?.reference)
    }

    /// Decides about clicks and opens of each recipient.
    @discardableResult
    fileprivate func decideApart(
        _ reasons: [(RecipientID, DecisionReason, DecisionReason)], of message: MessageID,
        asOf basis: SnapshotBasis? = nil
    ) async throws -> [RecordedDecision] {
        let decisions = reasons.flatMap { recipient, clicks, opens in
            [
                Decision(recipient: recipient, activity: .clicks, verdict: ConsentVerdict(reason: clicks)),
                Decision(recipient: recipient, activity: .opens, verdict: ConsentVerdict(reason: opens)),
            ]
        }
        var known = basis
        if known == nil { known = try await self.basis() }
        return try await self.decisions.append(decisions, of: message, in: acme, asOf: #require(known), at: .noon)
    }
}
