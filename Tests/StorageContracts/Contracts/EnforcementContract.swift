import Consent
import Identifiers
import Organizations
import TestSupport
import Testing

/// What every storage promises to tell of who may be recorded when an organization's enforcement changes.
package enum EnforcementContract {
    package static let promises: [Promise] = [
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
        Promise("whoever was tracked without having been asked ends when that is no longer enough") { storage in
            let (ana, bo, message) = (try RecipientID.ana, try RecipientID.bo, try await storage.message())
            try await storage.set(.nonRestrictive)
            let decided = try await storage.decide(
                [(ana, .notOptedOut), (bo, .notOptedOut)], of: message, enforcement: .nonRestrictive)
            let reference = try #require(decided[0].reference)
            try await storage.record(.given, for: bo)
            _ = storage.observer.take()
            try await storage.set(.restrictive)
            let end = KnownEnd(reference: reference, purpose: .tracking, end: .distantPast)
            #expect(storage.observer.take() == [.reloaded([end], .restrictive, storage.acme)])
        },
        Promise("a decision that was on its way when its organization went restrictive is judged by that") { storage in
            let (ana, message) = (try RecipientID.ana, try await storage.message())
            // Acme is restrictive by now; the verdict was given before.
            let decided = try await storage.decide([(ana, .notOptedOut)], of: message, enforcement: .nonRestrictive)
            #expect(decided[0].reason == .noConsentRecord)
            let entry = try #require(try await storage.decisions.decision(decided[0].id, in: storage.acme))
            #expect(entry.enforcement == .restrictive)
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
    fileprivate func set(_ enforcement: Enforcement) async throws {
        let change = OrganizationChange(enforcement: enforcement)
        _ = try await organizations.change(acme, by: change, at: .noon)
    }
}
