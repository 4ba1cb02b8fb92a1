import Consent
import Identifiers
import Interactions
import Ledger
import Organizations
import TestSupport
import Testing

/// What every storage promises about forgetting what is kept no longer.
package enum RetentionContract {
    private static let day: Int64 = 86_400_000

    package static let promises: [Promise] = [
        Promise("what is set is kept with the organization, and replaced as a whole") { storage in
            #expect(try await storage.organizations.organization(storage.acme)?.retention == .forever)
            let both = Retention(interactionsDays: 30, decisionsDays: 400)
            try await storage.keep(both)
            #expect(try await storage.organizations.organization(storage.acme)?.retention == both)
            try await storage.keep(Retention(interactionsDays: nil, decisionsDays: 1))
            let stored = try await storage.organizations.organization(storage.acme)?.retention
            #expect(stored == Retention(interactionsDays: nil, decisionsDays: 1))
        },
        Promise("nothing is forgotten while everything is kept") { storage in
            try await storage.clickAndDecide(at: .noon)
            let step = try await storage.purge(storage.acme, at: .noon + 1000 * day, limit: 10)
            #expect(step == Purge(interactions: 0, decisions: 0, isLast: true))
            #expect(try await storage.interactions().count == 1)
        },
        Promise("interactions that are older go, younger ones stay, and keep the next one from being the first") {
            storage in
            let (message, reference) = try await storage.clickAndDecide(at: .noon)
            let young = .noon + 2 * day
            let click = SpooledOccurrence.click(youngest(at: young), message, reference, at: young)
            try await storage.interactions.store([click], at: young)
            try await storage.keep(Retention(interactionsDays: 1, decisionsDays: nil))

            let step = try await storage.purge(storage.acme, at: young, limit: 10)

            #expect(step == Purge(interactions: 1, decisions: 0, isLast: true))
            #expect(try await storage.interactions().map(\.occurredAt) == [young])
            let people = try await storage.decisions.decisions(
                matching: DecisionQuery(), limit: 9, in: storage.acme
            ).map(\.recipient)
            #expect(try people == [.ana])
            let again = SpooledOccurrence.click(youngest(at: young) + 1, message, reference, at: young)
            try await storage.interactions.store([again], at: young)
            #expect(try await storage.interactions().map(\.isFirst) == [false, false])
            let activity = try await storage.activity(of: message)
            #expect(activity.counts[.kind(.pushLinkClicked)].people == 1)
        },
        Promise("somebody did much, nothing of it is kept: what comes next is the first again") { storage in
            let (message, reference) = try await storage.clickAndDecide(at: .noon)
            let old = (1...40).map { SpooledOccurrence.click(youngest(at: .noon) + $0, message, reference) }
            try await storage.interactions.store(old, at: .noon)
            // By now it is known that there are as many as are judged.
            try await storage.interactions.store(
                [.click(youngest(at: .noon) + 50, message, reference)], at: .noon)
            #expect(try await storage.interactions().filter(\.isFirst).count == 1)
            try await storage.keep(Retention(interactionsDays: 1, decisionsDays: nil))
            let later = .noon + 2 * day
            #expect(try await storage.purge(storage.acme, at: later, limit: 99).interactions == 42)

            let next = (1...2).map { SpooledOccurrence.click(youngest(at: later) + $0, message, reference, at: later) }
            try await storage.interactions.store(next, at: later)
            #expect(try await storage.interactions().map(\.isFirst) == [true, false])
        },
        Promise("somebody did much that was stored late, nothing of it is kept: what comes next is the first again") {
            storage in
            let (message, ana) = try await storage.clickAndDecide(at: .noon)
            let bo = try await storage.reference(of: .bo, message: message)
            try await storage.interactions.store(
                [.click(youngest(at: .noon + day / 24), message, ana)], at: .noon)
            let late = (1...33).map { SpooledOccurrence.click(youngest(at: .noon) + $0, message, bo) }
            try await storage.interactions.store(late, at: .noon + day)
            try await storage.keep(Retention(interactionsDays: 1, decisionsDays: nil))
            #expect(try await storage.purge(storage.acme, at: .noon + 3 * day / 2, limit: 99).interactions == 2)

            let later = .noon + 2 * day
            // By now it is known again that Bo has as many as are judged.
            try await storage.interactions.store(
                [.opening(youngest(at: later), message, bo, by: .browserAgent)], at: later)
            let next = (1...2).map { SpooledOccurrence.click(youngest(at: later) + $0, message, bo, at: later) }
            let prepared = try await storage.interactions.prepare(
                next, judgedAsOf: ConsentRecordID(rawValue: UInt64(Int64.max)))
            #expect(try await storage.purge(storage.acme, at: .noon + 5 * day / 2, limit: 99).interactions == 33)
            #expect(try await storage.interactions.store(prepared, at: .noon + 5 * day / 2).isEmpty)
            #expect(try await storage.interactions().map(\.isFirst) == [true, true, false])
        },
        Promise("a place whose interaction was deleted for its age stays one, and a foreign id is as a made-up one") {
            storage in
            let (message, reference) = try await storage.clickAndDecide(at: .noon)
            let old = try #require(try await storage.interactions().first)
            let young = .noon + 2 * day
            try await storage.interactions.store(
                [.click(youngest(at: young), message, reference, at: young)], at: young)
            let kept = try #require(try await storage.interactions().last)
            func has(_ cursor: InteractionFeedCursor, in organization: OrganizationID? = nil) async throws -> Bool {
                try await storage.interactions.isKnown(cursor, in: organization ?? storage.acme)
            }
            try await storage.keep(Retention(interactionsDays: 1, decisionsDays: nil))
            for _ in 0..<2 {
                for cursor in [InteractionFeedCursor.position(old.position), .interaction(old.id)] {
                    #expect(try await has(cursor))
                }
                for cursor in [InteractionFeedCursor.position(kept.position), .interaction(kept.id)] {
                    #expect(try await has(cursor))
                }
                _ = try await storage.purge(storage.acme, at: young, limit: 10)
            }
            let madeUp = InteractionID(TimeOrderedNumber(known: kept.id.number.rawValue + 1))
            for id in [kept.id, madeUp] {
                #expect(try await has(.interaction(id), in: storage.globex), "nothing stands before it")
            }
            let foreign = TimeOrderedNumber(known: TimeOrderedNumber.lowerBound(at: young + day))
            for cursor in [InteractionFeedCursor.position(.init(foreign)), .interaction(.init(foreign))] {
                #expect(try await !has(cursor))
                #expect(try await has(cursor, in: storage.globex), "nothing stands before it")
            }
            let past = TimeOrderedNumber(known: TimeOrderedNumber.lowerBound(at: .noon))
            #expect(try await has(.interaction(InteractionID(past))), "it may have been deleted")
        },
        Promise("what was deleted for its age does not come back from a spool that brings it once more") { storage in
            let (message, reference) = try await storage.clickAndDecide(at: .noon)
            let spooled = SpooledOccurrence.click(youngest(at: .noon), message, reference)
            let later = .noon + 2 * day
            try await storage.keep(Retention(interactionsDays: 1, decisionsDays: nil))
            _ = try await storage.purge(storage.acme, at: later, limit: 10)

            try await storage.interactions.store([spooled], at: later)
            #expect(try await storage.interactions().isEmpty)

            let next = SpooledOccurrence.click(youngest(at: .noon) + 1, message, reference)
            try await storage.interactions.store([spooled, next], at: later)
            #expect(try await storage.interactions().map(\.id) == [next.id])
        },
        Promise("older decisions say what and why, and no longer about whom") { storage in
            let (message, _) = try await storage.clickAndDecide(at: .noon)
            let young = .noon + 2 * day
            try await storage.decide([(try .bo, .noConsentRecord)], of: message, at: young)
            try await storage.keep(Retention(interactionsDays: nil, decisionsDays: 1))

            let step = try await storage.purge(storage.acme, at: young, limit: 10)

            #expect(step == Purge(interactions: 0, decisions: 1, isLast: true))
            let left = try await storage.decisions.decisions(matching: DecisionQuery(), limit: 9, in: storage.acme)
            #expect(try left.map(\.recipient) == [nil, .bo])
            #expect(left.map(\.reason) == [.consentGiven, .noConsentRecord])
            #expect(left.allSatisfy { $0.consent == nil })
            #expect(try await storage.decisionCounts(of: message).values.reduce(0, +) == 2)
            let asked = DecisionQuery(recipient: try .ana)
            #expect(try await storage.decisions.decisions(matching: asked, limit: 9, in: storage.acme).isEmpty)
            let size = try await storage.ledgers.head(of: storage.acme)?.head.size
            let second = try await storage.purge(storage.acme, at: young, limit: 10)
            #expect(second == Purge(interactions: 0, decisions: 0, isLast: true))
            #expect(try await storage.ledgers.head(of: storage.acme)?.head.size == size)
        },
        Promise("the ledger says what was forgotten, and all of its entries are as they were") { storage in
            try await storage.clickAndDecide(at: .noon)
            let before = try await storage.ledgers.entries(from: 0, count: 100, in: storage.acme)
            try await storage.keep(Retention(interactionsDays: 1, decisionsDays: 1))
            _ = try await storage.purge(storage.acme, at: .noon + 2 * day, limit: 10)

            let after = try await storage.ledgers.entries(from: 0, count: 100, in: storage.acme)
            #expect(after.dropLast().map(\.entry) == before.map(\.entry))
            #expect(after.last?.entry == LedgerEntry.purge(at: .noon + 2 * day, decisions: 1, interactions: 1).json)
            let decision = try #require(after.first { if case .decision = $0.subject { true } else { false } })
            #expect(decision.opening == nil)
            try await storage.checkTree()
        },
        Promise("many are forgotten in steps, the oldest first, past those that name nobody") { storage in
            let message = try await storage.message()
            let people = try (0..<6).map { try RecipientID("person-\($0)@people.example") }
            for person in people { try await storage.decide([(person, .noConsentRecord)], of: message) }
            for person in people.prefix(3) { _ = try await storage.consents.erase(person, in: storage.acme) }
            try await storage.keep(Retention(interactionsDays: nil, decisionsDays: 1))
            var steps: [Purge] = []
            repeat {
                steps.append(try await storage.purge(storage.acme, at: .noon + 2 * day, limit: 2))
            } while steps.last?.isLast == false
            #expect(steps.map(\.decisions) == [0, 1, 2, 0])
        },
        Promise("many interactions are forgotten in steps, the oldest first") { storage in
            let (message, reference) = try await storage.clickAndDecide(at: .noon)
            let later = (1...4).map { number in
                SpooledOccurrence.click(
                    youngest(at: .noon) + number, message, reference, at: .noon)
            }
            try await storage.interactions.store(later, at: .noon)
            try await storage.keep(Retention(interactionsDays: 1, decisionsDays: nil))
            var steps: [Purge] = []
            var left: [[InteractionID]] = [try await storage.interactions().map(\.id)]
            repeat {
                steps.append(try await storage.purge(storage.acme, at: .noon + 2 * day, limit: 2))
                left.append(try await storage.interactions().map(\.id))
            } while steps.last?.isLast == false
            #expect(steps.map(\.interactions) == [2, 2, 1])
            #expect(left.map { Array(left[0].suffix($0.count)) } == left)
        },
        Promise("the next row is due when the oldest that is left reaches the end of its days") { storage in
            let retention = storage.retention
            #expect(try await retention.nextDue(in: storage.acme) == nil)
            try await storage.keep(Retention(interactionsDays: 3, decisionsDays: 5))
            #expect(try await retention.nextDue(in: storage.acme) == nil)
            try await storage.clickAndDecide(at: .noon)
            #expect(try await retention.nextDue(in: storage.acme) == .noon + 3 * day)
            #expect(try await retention.nextDue(in: storage.globex) == nil)
            _ = try await storage.purge(storage.acme, at: .noon + 3 * day + 1, limit: 10)
            #expect(try await retention.nextDue(in: storage.acme) == .noon + 5 * day)
            _ = try await storage.purge(storage.acme, at: .noon + 5 * day + 1, limit: 10)
            #expect(try await retention.nextDue(in: storage.acme) == nil)
            try await storage.clickAndDecide(at: .noon + 6 * day)
            try await storage.keep(Retention(interactionsDays: nil, decisionsDays: 1))
            #expect(try await retention.nextDue(in: storage.acme) == .noon + 7 * day)
            try await storage.keep(.forever)
            #expect(try await retention.nextDue(in: storage.acme) == nil)
        },
        Promise("one organization's days are not another's") { storage in
            try await storage.clickAndDecide(at: .noon)
            try await storage.keep(Retention(interactionsDays: 1, decisionsDays: 1), in: storage.globex)
            let step = try await storage.purge(storage.globex, at: .noon + 9 * day, limit: 9)
            #expect(step == Purge(interactions: 0, decisions: 0, isLast: true))
            #expect(try await storage.interactions().count == 1)
        },
    ]

    fileprivate static func youngest(at instant: Timestamp) -> UInt64 { TimeOrderedNumber.lowerBound(at: instant) + 1 }
}

extension StorageUnderTest {
    fileprivate func keep(_ retention: Retention, in organization: OrganizationID? = nil) async throws {
        let change = RetentionChange(interactions: retention.interactions, decisions: retention.decisions)
        _ = try await organizations.change(
            organization ?? acme, by: OrganizationChange(retention: change), at: .noon)
    }

    /// A decision to track Ana, and her click.
    @discardableResult
    fileprivate func clickAndDecide(at instant: Timestamp) async throws -> (MessageID, RecipientReference) {
        let message = try await message()
        try await record(.given, for: .ana, at: instant)
        let reference = try #require(
            try await decide([(.ana, .consentGiven)], of: message, at: instant).first?.reference)
        let click = SpooledOccurrence.click(
            RetentionContract.youngest(at: instant), message, reference, at: instant)
        try await interactions.store([click], at: instant)
        return (message, reference)
    }

    fileprivate func interactions() async throws -> [Interaction] {
        try await interactions.interactions(matching: InteractionQuery(), limit: 9, in: acme)
    }
}
