import Consent
import Identifiers
import Organizations
import TestSupport
import Testing

/// What every storage promises to tell of who may be recorded when an organization's enforcement changes.
package enum EnforcementContract {
    package static let promises: [Promise] = telling + deciding

    private static let telling: [Promise] = [
        Promise("a change of enforcement is told with everybody's end, before the call returns") { storage in
            let cast = try await Cast(storage)
            _ = storage.observer.take()
            try await storage.set(.nonRestrictive)
            #expect(storage.observer.take() == [.reloaded(cast.endsNonRestrictive, .nonRestrictive, storage.acme)])
            try await storage.set(.restrictive)
            #expect(storage.observer.take() == [.reloaded(cast.endsRestrictive, .restrictive, storage.acme)])
        },
        Promise("a change of anything else is not told") { storage in
            _ = storage.observer.take()
            let change = OrganizationChange(name: "New", enforcement: .restrictive, honorsGPC: false)
            _ = try await storage.organizations.change(storage.acme, by: change, at: .noon)
            #expect(storage.observer.take().isEmpty)
        },
        Promise("who was tracked without having been asked ends when that is no longer enough") { storage in
            let (ana, bo, message) = (try RecipientID.ana, try RecipientID.bo, try await storage.message())
            try await storage.set(.nonRestrictive)
            let decided = try await storage.decide(
                [(ana, .notOptedOut), (bo, .notOptedOut)], of: message)
            let reference = try #require(decided[0].reference)
            try await storage.record(.given, for: bo)
            _ = storage.observer.take()
            try await storage.set(.restrictive)
            let end = KnownEnd(reference: reference, purpose: .tracking, end: .distantPast)
            #expect(storage.observer.take() == [.reloaded([end], .restrictive, storage.acme)])
        },
        Promise("whether GPC is honoured is told when it changes") { storage in
            #expect(storage.observer.privacyControl == [true, true], "when each of the two was made")
            for honors in [false, false, true] {
                let change = OrganizationChange(honorsGPC: honors)
                _ = try await storage.organizations.change(storage.acme, by: change, at: .noon)
            }
            #expect(storage.observer.privacyControl == [true, true, false, true])
        },
        Promise("however often GPC is honoured and not at once, its observer ends as the store does") { storage in
            for _ in 0..<200 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for honors in [true, false] {
                        group.addTask {
                            let change = OrganizationChange(honorsGPC: honors)
                            _ = try await storage.organizations.change(storage.acme, by: change, at: .noon)
                        }
                    }
                    try await group.waitForAll()
                }
                let stored = try #require(try await storage.organizations.organization(storage.acme))
                #expect(storage.observer.privacyControl.last == stored.honorsGPC)
            }
        },
        Promise("what is erased stays so after a change") { storage in
            let (ana, message) = (try RecipientID.ana, try await storage.message())
            try await storage.record(.given, for: ana)
            let reference = try await storage.reference(of: ana, message: message)
            _ = try await storage.consents.erase(ana, in: storage.acme)
            _ = storage.observer.take()
            try await storage.set(.nonRestrictive)
            #expect(storage.observer.take().contains(.erased(reference, storage.acme)))
        },
    ]

    private static let deciding: [Promise] = [
        Promise("a decision asked before a change of enforcement is refused as stale, and decided again by the new one")
        {
            storage in
            for enforcement in [Enforcement.nonRestrictive, .restrictive] {
                let message = try await storage.message("\(enforcement)")
                let before = try await storage.ask(.ana)
                try await storage.set(enforcement)
                let (size, stored) = (try await storage.checkTree(), try await storage.storedDecisions())
                await #expect(throws: StaleSnapshot.self) { try await storage.decide(by: before, of: message) }
                #expect(try await storage.storedDecisions() == stored)
                #expect(try await storage.decisionCounts(of: message).isEmpty)
                #expect(try await storage.checkTree() == size)

                let again = try await storage.ask(.ana)
                #expect(again.enforcement == enforcement)
                let decided = try await storage.decide(by: again, of: message)
                #expect(decided.reason == (enforcement == .restrictive ? .noConsentRecord : .notOptedOut))
                let entry = try #require(try await storage.decisions.decision(decided.id, in: storage.acme))
                #expect(entry.enforcement == enforcement)
            }
        },
        Promise("an enforcement that changed and changed back makes a decision stale all the same") { storage in
            let message = try await storage.message()
            let before = try await storage.ask(.ana)
            try await storage.set(.nonRestrictive)
            try await storage.set(.restrictive)
            await #expect(throws: StaleSnapshot.self) { try await storage.decide(by: before, of: message) }
            #expect(try await storage.storedDecisions().isEmpty)
        },
        Promise("the epoch grows with a change of its organization's enforcement, and with no other change of it") {
            storage in
            let (here, there) = (try await storage.epoch(), try await storage.epoch(in: storage.globex))
            let other = OrganizationChange(name: "New", enforcement: .restrictive, honorsGPC: false)
            _ = try await storage.organizations.change(storage.acme, by: other, at: .noon)
            try await storage.record(.given, for: .ana)
            #expect(try await storage.epoch() == here)
            try await storage.set(.nonRestrictive)
            #expect(try await storage.epoch().rawValue > here.rawValue)
            #expect(try await storage.epoch(in: storage.globex) == there)
        },
    ]

    /// People in every situation.
    private struct Cast {
        let endsRestrictive: Set<KnownEnd>
        let endsNonRestrictive: Set<KnownEnd>

        init(_ storage: StorageUnderTest) async throws {
            var (restrictive, nonRestrictive): (Set<KnownEnd>, Set<KnownEnd>) = ([], [])
            let offers = try Purpose("offers")
            /// Records in turn; the last one counts.
            func add(_ name: String, _ states: [ConsentState], _ purpose: Purpose, until: Timestamp? = nil) async throws
            {
                let person = try RecipientID(name)
                for (number, state) in states.enumerated() {
                    try await storage.record(
                        state, for: person, purpose: purpose, occurredAt: .noon + Int64(number - 10),
                        validUntil: state == .given ? until : nil)
                }
                let reference = try #require(storage.observer.takeChanges().last?.reference)
                func end(_ instant: Timestamp) -> KnownEnd {
                    KnownEnd(reference: reference, purpose: purpose, end: instant)
                }
                if states.last != .given {
                    restrictive.insert(end(.distantPast))
                    nonRestrictive.insert(end(.distantPast))
                } else if let until {
                    restrictive.insert(end(until))
                }
            }
            try await add("given", [.refused, .given], .tracking)
            try await add("expiring", [.given], .tracking, until: .noon + 1000)
            try await add("expired", [.given], .tracking, until: .noon + -5)
            for state in ConsentState.allCases where state != .given {
                try await add("\(state)", [.given, state], .tracking)
            }
            try await add("given", [.withdrawn], offers)
            try await add("withdrawn", [.given], offers, until: .noon + 2000)
            // Somebody in another organization is nobody's business.
            try await storage.record(.refused, for: RecipientID("given"), in: storage.globex)
            endsRestrictive = restrictive
            endsNonRestrictive = nonRestrictive
        }
    }
}

extension StorageUnderTest {
    fileprivate func ask(_ recipient: RecipientID) async throws -> ConsentStatuses {
        try await consents.statuses(of: [recipient], for: .tracking, in: acme, at: .noon)
    }

    /// Decides about Ana as the composer does, by the enforcement of the answer.
    @discardableResult
    fileprivate func decide(by answer: ConsentStatuses, of message: MessageID) async throws -> RecordedDecision {
        let policy = ConsentPolicy(enforcement: answer.enforcement)
        let verdict = policy.decide(try #require(answer.statuses.first), at: .noon)
        let decided = try await decisions.append(
            [Decision(recipient: .ana, verdict: verdict)], of: message, in: acme, asOf: answer.basis, at: .noon)
        return try #require(decided.first)
    }

    fileprivate func storedDecisions() async throws -> [DecisionID] {
        try await decisions.decisions(matching: DecisionQuery(), limit: 9, in: acme).map(\.id)
    }

    fileprivate func set(_ enforcement: Enforcement) async throws {
        let change = OrganizationChange(enforcement: enforcement)
        _ = try await organizations.change(acme, by: change, at: .noon)
    }
}
