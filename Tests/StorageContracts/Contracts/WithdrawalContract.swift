import Consent
import Identifiers
import Ledger
import TestSupport
import Testing

/// What every `ConsentStore` promises about a withdrawal that names its person by a reference alone.
package enum WithdrawalContract {
    package static let promises: [Promise] = recording + opens + addingNothing

    private static let page = ConsentEvidence(method: "withdrawal-page", actor: "subject")

    private static let recording: [Promise] = [
        Promise("a withdrawal by reference is a record like any other, and the observer knows before the caller") {
            storage in
            let (ana, message) = (try RecipientID.ana, try await storage.message())
            let given = try await storage.record(.given, for: ana)
            let reference = try await storage.reference(of: ana, message: message)
            _ = storage.observer.take()

            let record = try #require(try await storage.withdraw(reference, at: .noon + 1).record)

            #expect(record.state == .withdrawn)
            #expect((record.occurredAt, record.recordedAt) == (.noon + 1, .noon + 1))
            #expect(record.purpose == .tracking)
            #expect(record.evidence == page)
            #expect(try await storage.consents.history(of: ana, in: storage.acme) == [given, record])
            #expect(try await storage.status(of: ana, at: .noon + 1) == .inForce(record.inForce))
            #expect(try await storage.status(of: ana) == .inForce(given.inForce))
            let change = ConsentChange(reference: reference, purpose: .tracking, status: .inForce(record.inForce))
            #expect(storage.observer.takeChanges() == [change])
        },
        Promise("it is entered into the ledger with its record, and what adds nothing enters nothing") { storage in
            let (ana, message) = (try RecipientID.ana, try await storage.message())
            try await storage.record(.given, for: ana)
            let reference = try await storage.reference(of: ana, message: message)
            let size = try await storage.checkTree()
            let record = try #require(try await storage.withdraw(reference, at: .noon + 1).record)
            #expect(try await storage.withdraw(reference, at: .noon + 2) == .hadEnded)

            #expect(try await storage.checkTree() == size + 1)
            let item = try #require(try await storage.ledgers.entry(of: record.id, in: storage.acme))
            #expect(item.leaf == size)
            #expect(item.opening?.fields == PrivateFields.consent(record, about: ana))
            try item.checkOpening()
        },
        Promise("it is for one purpose and one person alone") { storage in
            let (ana, bo, offers) = (try RecipientID.ana, try RecipientID.bo, try Purpose("offers"))
            let message = try await storage.message()
            let kept = try await storage.record(.given, for: ana)
            let others = try await storage.record(.given, for: bo, purpose: offers)
            try await storage.record(.given, for: ana, purpose: offers)
            let reference = try await storage.reference(of: ana, message: message)
            let record = try #require(try await storage.withdraw(reference, for: offers).record)
            #expect(try await storage.status(of: ana, for: offers) == .inForce(record.inForce))
            #expect(try await storage.status(of: ana) == .inForce(kept.inForce))
            #expect(try await storage.status(of: bo, for: offers) == .inForce(others.inForce))
        },
        Promise("silence and a consent that ran out do not keep anybody from withdrawing") { storage in
            let (ana, bo) = (try RecipientID.ana, try RecipientID.bo)
            let message = try await storage.message(in: storage.globex)
            try await storage.record(.given, for: bo, validUntil: .noon + 10, in: storage.globex)
            for (recipient, reason) in [(ana, DecisionReason.notOptedOut), (bo, .consentGiven)] {
                let decided = try await storage.decide(
                    [(recipient, reason)], of: message, in: storage.globex)
                let reference = try #require(decided[0].reference)
                let withdrawal = try await storage.withdraw(reference, in: storage.globex, at: .noon + 20)
                let record = try #require(withdrawal.record)
                let status = try await storage.status(of: recipient, in: storage.globex, at: .noon + 20)
                #expect(status == .inForce(record.inForce))
            }
        },
    ]

    private static let opens: [Promise] = [
        Promise("a no in words for links and opens ends open-tracking, where a message that asks apart records opens") {
            storage in
            var asked: [(organization: OrganizationID, reference: RecipientReference, isAdded: Bool)] = []
            for (organization, permitsSilence) in [(storage.acme, false), (storage.globex, true)] {
                let message = try await storage.message(in: organization)
                let said: [(name: String, state: ConsentState?, end: Timestamp?, isAdded: Bool)] = [
                    ("silent", nil, nil, permitsSilence), ("given", .given, nil, true),
                    ("ended", .given, .noon + 1, permitsSilence), ("refused", .refused, nil, false),
                ]
                for (name, state, end, isAdded) in said {
                    let person = try RecipientID(name)
                    try await storage.record(.given, for: person, in: organization)
                    let reference = try await storage.reference(of: person, message: message, in: organization)
                    if let state {
                        try await storage.record(
                            state, for: person, purpose: .openTracking, validUntil: end, in: organization)
                    }
                    asked.append((organization, reference, isAdded))
                }
            }
            for (organization, reference, isAdded) in asked {
                _ = storage.observer.take()
                let made = try await storage.consents.withdraw(
                    reference, for: [.tracking], alsoOpens: true, evidence: page, in: organization, at: .noon + 2)
                let purposes: [Purpose] = isAdded ? [.tracking, .openTracking] : [.tracking]
                #expect(made.map(\.record?.purpose) == purposes)
                #expect(Set(made.compactMap(\.record?.occurredAt)).count == 1)
                #expect(storage.observer.takeChanges().map(\.purpose) == purposes)
            }
        },
        Promise("a yes to opens that is recorded before such a no is ended by it, however close they are") { storage in
            let message = try await storage.message()
            for number in 0..<40 {
                let person = try RecipientID("person\(number)")
                try await storage.record(.given, for: person)
                let reference = try await storage.reference(of: person, message: message)
                async let yes = storage.record(.given, for: person, purpose: .openTracking)
                async let no = storage.consents.withdraw(
                    reference, for: [.tracking], alsoOpens: true, evidence: page, in: storage.acme, at: .noon)
                let (given, withdrawals) = try await (yes, no)
                let withdrawn = try #require(withdrawals.first?.record)
                let hasOpens = withdrawals.compactMap(\.record?.purpose).contains(.openTracking)
                #expect(hasOpens == (given.id < withdrawn.id))
            }
        },
    ]

    private static let addingNothing: [Promise] = [
        Promise("a recipient who has said no already is told so, and nothing is added") { storage in
            let message = try await storage.message()
            for state in ConsentState.allCases where state.endsTracking {
                let recipient = try RecipientID("\(state)@example.com")
                let reference = try await storage.reference(of: recipient, message: message)
                let record = try await storage.record(state, for: recipient)
                _ = storage.observer.take()
                #expect(try await storage.withdraw(reference, at: .noon + 1) == .hadEnded)
                #expect(try await storage.consents.history(of: recipient, in: storage.acme) == [record])
                #expect(storage.observer.take().isEmpty)
            }
        },
        Promise(
            "a no after the one in force is recorded again, so a yes in between that is reported late changes nothing"
        ) {
            storage in
            let (ana, message, minute) = (try RecipientID.ana, try await storage.message(), Int64(60_000))
            let reference = try await storage.reference(of: ana, message: message)
            try await storage.record(.withdrawn, for: ana)
            #expect(try await storage.withdraw(reference, at: .noon + minute + -1) == .hadEnded)
            let again = try #require(try await storage.withdraw(reference, at: .noon + 2 * minute).record)
            try await storage.record(.given, for: ana, occurredAt: .noon + minute, at: .noon + 3 * minute)
            #expect(try await storage.status(of: ana, at: .noon + 3 * minute) == .inForce(again.inForce))
        },
        Promise("of noes that are pressed again and again, 25 are recorded in 30 days") { storage in
            let (ana, message, minute) = (try RecipientID.ana, try await storage.message(), Int64(60_000))
            let reference = try await storage.reference(of: ana, message: message)
            for number in 1...30 as ClosedRange<Int64> {
                _ = try await storage.withdraw(reference, at: .noon + number * minute)
            }
            #expect(try await storage.consents.history(of: ana, in: storage.acme).count == 25)
            let later = try await storage.withdraw(reference, at: .noon + 40 * 1440 * minute)
            #expect(later.record != nil)
        },
        Promise("however many withdraw for one person at once, one record is added") { storage in
            let (ana, message) = (try RecipientID.ana, try await storage.message())
            try await storage.record(.given, for: ana)
            let reference = try await storage.reference(of: ana, message: message)
            let outcomes = try await withThrowingTaskGroup(of: Withdrawal.self) { group in
                for _ in 0..<20 { group.addTask { try await storage.withdraw(reference) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.compactMap(\.record).count == 1)
            #expect(outcomes.count { $0 == .hadEnded } == 19)
            #expect(try await storage.consents.history(of: ana, in: storage.acme).count == 2)
        },
        Promise("who was erased, never was or belongs to somebody else is nobody") { storage in
            let (ana, bo, message) = (try RecipientID.ana, try RecipientID.bo, try await storage.message())
            let given = try await storage.record(.given, for: bo)
            let erased = try await storage.reference(of: ana, message: message)
            let foreign = try await storage.reference(of: bo, message: message)
            _ = try await storage.consents.erase(ana, in: storage.acme)
            _ = storage.observer.take()
            #expect(try await storage.withdraw(erased) == .noRecipient)
            #expect(try await storage.withdraw(try #require(RecipientReference(rawValue: 42))) == .noRecipient)
            #expect(try await storage.withdraw(foreign, in: storage.globex) == .noRecipient)
            #expect(storage.observer.take().isEmpty)
            #expect(try await storage.status(of: ana) == .erased)
            #expect(try await storage.consents.history(of: bo, in: storage.acme) == [given])
        },
        Promise("who came back after an erasure is not withdrawn by what was sent to them before") { storage in
            let (ana, message) = (try RecipientID.ana, try await storage.message())
            let old = try await storage.reference(of: ana, message: message)
            _ = try await storage.consents.erase(ana, in: storage.acme)
            let given = try await storage.record(.given, for: ana)
            #expect(try await storage.withdraw(old, at: .noon + 1) == .noRecipient)
            #expect(try await storage.status(of: ana, at: .noon + 1) == .inForce(given.inForce))
        },
    ]
}

extension StorageUnderTest {
    fileprivate func withdraw(
        _ reference: RecipientReference, for purpose: Purpose = .tracking, in organization: OrganizationID? = nil,
        at now: Timestamp = .noon
    ) async throws -> Withdrawal {
        try await consents.withdraw(
            reference, for: purpose, evidence: ConsentEvidence(method: "withdrawal-page", actor: "subject"),
            in: organization ?? acme, at: now)
    }
}

extension Withdrawal {
    fileprivate var record: ConsentRecord? {
        if case .recorded(let record) = self { record } else { nil }
    }
}
