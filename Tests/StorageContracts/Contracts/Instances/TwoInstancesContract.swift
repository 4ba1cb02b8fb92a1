import Consent
import Identifiers
import Interactions
import Ledger
import Messages
import Organizations
import StoragePorts
import TestSupport
import Testing

/// What a storage promises that is open twice: what one instance wrote the other reads, from its next call on, whatever
/// it has read before.
///
/// Only one of the two makes what gets an id, or enters anything into a ledger: a storage may keep its last ids and the
/// frontiers of its ledgers in memory. ``SuccessiveWritersContract`` has what holds of these then.
package enum TwoInstancesContract {
    package static let promises: [Promise] = organizations + people + messages + bookkeeping

    private static let organizations: [Promise] = [
        Promise("an organization, its changes and its keys are the same in both") { one in
            let other = try one.openBeside()
            let initech = Organization(id: try OrganizationID("initech"), name: "Initech", enforcement: .restrictive)
            let key = try await one.organizations.create(initech, firstKey: StorageUnderTest.key(9), at: .noon)
            #expect(try await other.organizations.organization(initech.id) == initech)
            #expect(try await other.organizations.key(with: StorageUnderTest.key(9).digest) == key)
            #expect(try await other.organizations.keys(of: initech.id) == [try #require(key)])
            let again = try await other.organizations.create(initech, firstKey: StorageUnderTest.key(8), at: .noon)
            #expect(again == nil)

            let change = OrganizationChange(name: "New", enforcement: .nonRestrictive)
            let changed = try await one.organizations.change(initech.id, by: change, at: .noon + 5)
            #expect(try await other.organizations.organization(initech.id) == changed)
            let history = try await one.organizations.enforcementHistory(of: initech.id)
            #expect(try await other.organizations.enforcementHistory(of: initech.id) == history)
        },
        Promise("a key that one adds opens the other, and one that either removes opens none of them") { one in
            let other = try one.openBeside()
            let (first, second) = (StorageUnderTest.key(20), StorageUnderTest.key(21))
            let keys = [
                try #require(try await one.organizations.addKey(first, to: one.acme, at: .noon)),
                try #require(try await one.organizations.addKey(second, to: one.acme, at: .noon)),
            ]
            for storage in [one, other] {
                #expect(try await storage.organizations.key(with: first.digest) == keys[0])
                #expect(try await storage.organizations.key(with: second.digest) == keys[1])
            }
            #expect(try await other.organizations.removeKey(keys[0].id, of: one.acme))
            #expect(try await one.organizations.key(with: first.digest) == nil)
            #expect(try await one.organizations.removeKey(keys[0].id, of: one.acme) == false)
            #expect(try await one.organizations.removeKey(keys[1].id, of: one.acme))
            #expect(try await other.organizations.key(with: second.digest) == nil)
        },
    ]

    private static let people: [Promise] = [
        Promise("a consent that one recorded is in force for the other, and so is what ends it") { one in
            let other = try one.openBeside()
            #expect(try await other.status(of: .ana) == .nothing)
            let given = try await one.record(.given, for: .ana)
            #expect(try await other.status(of: .ana) == .inForce(given.inForce))
            #expect(try await other.basis() == one.basis())
            let withdrawn = try await one.record(.withdrawn, for: .ana, at: .noon + 1)
            #expect(try await other.status(of: .ana, at: .noon + 1) == .inForce(withdrawn.inForce))
            #expect(try await other.consents.history(of: .ana, in: one.acme) == [given, withdrawn])
            _ = try await one.consents.erase(.ana, in: one.acme)
            #expect(try await other.status(of: .ana) == .erased)
            #expect(try await other.epoch() == one.epoch())
            #expect(try await other.consents.history(of: .ana, in: one.acme).isEmpty)
        },
        Promise("decisions that one appended are found by the other, as they are since an erasure") { one in
            let other = try one.openBeside()
            let message = try await one.message()
            let decided = try await one.decide([(.ana, .consentGiven), (.bo, .noConsentRecord)], of: message)
            let (first, last) = (decided[0].id, decided[1].id)
            #expect(try await other.decisions.decision(first, in: one.acme)?.recipient == .ana)
            #expect(try await other.decisions.decisions(from: first, through: last, in: one.acme) == decided)
            #expect(
                try await other.decisionCounts(of: message) == [.consentGiven: 1, .noConsentRecord: 1])
            let reference = try #require(decided[0].reference)
            #expect(try await other.status(of: reference) == .nothing)
            _ = try await one.consents.erase(.ana, in: one.acme)
            #expect(try await other.decisions.decision(first, in: one.acme)?.recipient == nil)
            #expect(try await other.status(of: reference) == .erased)
        },
        Promise("a decision is refused as stale by the other when one has changed the enforcement since it was asked") {
            one in
            let other = try one.openBeside()
            let message = try await one.message()
            let asked = try await other.consents.statuses(of: [.ana], for: .tracking, in: one.acme, at: .noon)
            #expect(asked.enforcement == .restrictive)
            let change = OrganizationChange(enforcement: .nonRestrictive)
            _ = try await one.organizations.change(one.acme, by: change, at: .noon)
            let decision = Decision(recipient: try .ana, verdict: ConsentVerdict(reason: .noConsentRecord))
            await #expect(throws: StaleSnapshot.self) {
                _ = try await other.decisions.append(
                    [decision], of: message, in: one.acme, asOf: asked.basis, at: .noon)
            }
            let again = try await other.consents.statuses(of: [.ana], for: .tracking, in: one.acme, at: .noon)
            #expect(again.enforcement == .nonRestrictive)
        },
        Promise("a decision is refused as stale by the other when one has erased somebody since it was asked") { one in
            let other = try one.openBeside()
            let message = try await one.message()
            let asked = try await other.consents.statuses(
                of: [.ana], for: .tracking, in: one.acme, at: .noon)
            _ = try await one.consents.erase(.bo, in: one.acme)
            let decision = Decision(recipient: try .ana, verdict: ConsentVerdict(reason: .noConsentRecord))
            await #expect(throws: StaleSnapshot.self) {
                _ = try await other.decisions.append(
                    [decision], of: message, in: one.acme, asOf: asked.basis, at: .noon)
            }
        },
    ]

    private static let messages: [Promise] = [
        Promise("a message is made once, whichever of the two is asked, and switched off in both") { one in
            let other = try one.openBeside()
            let (saved, _) = try await one.messages.save(Message(name: "spring"), in: one.acme, at: .noon)
            let (found, isNew) = try await other.messages.save(Message(name: "spring"), in: one.acme, at: .noon + 9)
            #expect(!isNew)
            #expect(found == saved)
            for storage in [one, other] { #expect(try await storage.messages.message(saved.id) == saved) }
            _ = try await other.messages.setDisabled(true, message: saved.id, in: one.acme)
            #expect(try await one.messages.message(saved.id)?.isDisabled == true)
        },
        Promise("links that both add to a message have one index for each target") { one in
            let other = try one.openBeside()
            let id = try await one.message()
            var indexes: [[UInt16]] = []
            for (storage, paths) in [
                (one, ["a", "b"]), (other, ["b", "c"]), (one, ["c", "d"]), (other, ["d", "a"]),
            ] {
                let links = try paths.map { path in
                    MailLink(part: .html, target: try TargetURL(stored: "https://shop.example/\(path)"), label: nil)
                }
                let added = try #require(try await storage.messages.addLinks(links, to: id, in: one.acme))
                indexes.append(added.compactMap { $0?.index.rawValue })
            }
            #expect(indexes == [[1, 2], [2, 3], [3, 4], [4, 1]])
        },
        Promise("what one stored of a spool the other passes over, and lists") { one in
            let other = try one.openBeside()
            let message = try await one.message()
            let reference = try await one.reference(of: .ana, message: message)
            let clicks = [SpooledOccurrence.click(1, message, reference), .click(2, message, reference)]
            try await one.interactions.store(clicks, at: .noon)
            try await other.interactions.store(clicks + [.click(3, message, reference)], at: .noon + 60_000)
            for storage in [one, other] {
                let stored = try await storage.interactions.interactions(
                    matching: InteractionQuery(), limit: 9, in: one.acme)
                #expect(stored.map(\.id.rawValue) == [1, 2, 3])
                #expect(stored.map(\.recordedAt) == [.noon, .noon, .noon + 60_000])
                #expect(stored.map(\.isFirst) == [true, false, false])
            }
        },
    ]

    private static let bookkeeping: [Promise] = [
        Promise("a request that had its effect in one has none in the other, which finds what it made") { one in
            let other = try one.openBeside()
            let fingerprint = IdempotencyFingerprint(
                key: [UInt8](repeating: 1, count: 32), body: [UInt8](repeating: 2, count: 32))
            let record = try NewConsentRecord(
                recipient: .ana, purpose: .tracking, state: .given, occurredAt: nil, validUntil: nil, evidence: nil,
                now: .noon)
            let stored = try await one.consents.append([record], in: one.acme, at: .noon, fingerprint: fingerprint)
            let found = try await other.requests.request(under: fingerprint.key)
            #expect(found?.effect.first == stored.first?.id.number)
            await #expect(throws: IdempotencyKeyTaken.self) {
                _ = try await other.consents.append([record], in: one.acme, at: .noon, fingerprint: fingerprint)
            }
            await #expect(throws: IdempotencyKeyTaken.self) {
                _ = try await other.messages.save(Message(name: "x"), in: one.acme, at: .noon, fingerprint: fingerprint)
            }
            #expect(try await other.consents.history(of: .ana, in: one.acme).count == 1)
        },
        Promise("the checkpoint and the place of the check that one kept are read by the other") { one in
            let other = try one.openBeside()
            let first = try await CheckpointReplacementContract.note(0, one)
            let second = try await CheckpointReplacementContract.note(1, one)
            try await one.ledgers.keep(checkpoint: first.text, of: one.acme, after: nil)
            #expect(try await other.ledgers.checkpoint(of: one.acme) == first.text)
            try await other.ledgers.keep(checkpoint: second.text, of: one.acme, after: first.head)
            #expect(try await one.ledgers.checkpoint(of: one.acme) == second.text)
            let third = try await CheckpointReplacementContract.note(2, one)
            await #expect(throws: CheckpointMoved.self) {
                try await one.ledgers.keep(checkpoint: third.text, of: one.acme, after: first.head)
            }
            let position = LedgerCheckPosition(phase: .decisions, organization: 1, next: 700)
            try await one.ledgers.keep(position)
            #expect(try await other.ledgers.checkPosition() == position)
        },
        Promise("what one forgot because of its age the other does not list, and a held clock is held in both") { one in
            let other = try one.openBeside()
            let day: Int64 = 86_400_000
            let message = try await one.message()
            let reference = try await one.reference(of: .ana, message: message)
            try await one.interactions.store([.click(1, message, reference)], at: .noon)
            let change = OrganizationChange(
                retention: RetentionChange(interactions: .days(1), decisions: .forever))
            _ = try await one.organizations.change(one.acme, by: change, at: .noon)
            let step = try await one.purge(one.acme, at: .noon + 3 * day, limit: 9)
            #expect(step.interactions == 1)
            let left = try await other.interactions.interactions(matching: InteractionQuery(), limit: 9, in: one.acme)
            #expect(left.isEmpty)
            #expect(try await other.retention.nextDue(in: one.acme) == nil)

            try await one.note(RetentionHold(trusted: .noon, wasHeld: true, at: .noon))
            #expect(try await other.retention.hold(at: .noon + 1).heldSince != nil)
            let held = RetentionHold(
                trusted: .noon, wasHeld: true, since: .noon + day, seen: .noon + 2 * day, at: .noon)
            try await one.note(held)
            let read = try await other.retention.hold(at: .noon + 3 * day)
            #expect((read.trusted, read.heldSince, read.seen) == (held.trusted, held.heldSince, held.seen))
            try await other.note(RetentionHold(trusted: .noon, wasHeld: false, at: .noon))
            #expect(try await one.retention.hold(at: .noon + 1).heldSince == nil)
        },
    ]
}
