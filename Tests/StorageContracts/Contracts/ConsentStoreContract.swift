import Consent
import Identifiers
import TestSupport
import Testing

/// What every `ConsentStore` promises about recording and asking.
package enum ConsentStoreContract {
    package static let promises: [Promise] = states + ranking + apart + records

    private static let states: [Promise] = ConsentState.allCases.map { state in
        Promise("a record that says \(state) is in force") { storage in
            let ana = try RecipientID.ana
            let record = try await storage.record(state, for: ana)
            #expect(try await storage.status(of: ana) == .inForce(record.inForce))
            #expect(record.state == state)
        }
    }

    private static let ranking: [Promise] = [
        Promise("nothing is known of somebody who was never recorded") { storage async throws in
            #expect(try await storage.status(of: .ana) == .nothing)
        },
        Promise("the later of two records counts, in whichever order they arrive") { storage in
            let ana = try RecipientID.ana
            let withdrawal = try await storage.record(.withdrawn, for: ana, occurredAt: .noon + -1000)
            try await storage.record(.given, for: ana, occurredAt: .noon + -2000)
            #expect(try await storage.status(of: ana) == .inForce(withdrawal.inForce))
        },
        Promise("at the same instant the record that ends tracking wins, whichever was recorded last") { storage in
            let (ana, bo) = (try RecipientID.ana, try RecipientID.bo)
            try await storage.record(.given, for: ana)
            let refusal = try await storage.record(.refused, for: ana)
            let revocation = try await storage.record(.revoked, for: bo)
            try await storage.record(.given, for: bo)
            #expect(try await storage.status(of: ana) == .inForce(refusal.inForce))
            #expect(try await storage.status(of: bo) == .inForce(revocation.inForce))
        },
        Promise("of two endings at the same instant the later recorded wins") { storage in
            let ana = try RecipientID.ana
            try await storage.record(.refused, for: ana)
            let later = try await storage.record(.withdrawn, for: ana)
            #expect(try await storage.status(of: ana) == .inForce(later.inForce))
        },
        Promise("a record counts from the very millisecond in which it occurred") { storage in
            let ana = try RecipientID.ana
            let given = try await storage.record(.given, for: ana, occurredAt: .noon + -1000)
            let withdrawn = try await storage.record(.withdrawn, for: ana, occurredAt: .noon)
            #expect(try await storage.status(of: ana, at: .noon + -1001) == .nothing)
            #expect(try await storage.status(of: ana, at: .noon + -1000) == .inForce(given.inForce))
            #expect(try await storage.status(of: ana, at: .noon + -1) == .inForce(given.inForce))
            #expect(try await storage.status(of: ana, at: .noon) == .inForce(withdrawn.inForce))
        },
        Promise("the end of a grant is kept, and does not bring back what was before it") { storage in
            let ana = try RecipientID.ana
            try await storage.record(.refused, for: ana, occurredAt: .noon + -5000)
            let given = try await storage.record(.given, for: ana, validUntil: .noon + 1000)
            #expect(given.validUntil == .noon + 1000)
            #expect(try await storage.status(of: ana, at: .noon + 5000) == .inForce(given.inForce))
        },
        Promise("what was recorded before 1970 is in order too") { storage in
            let ana = try RecipientID.ana
            let old = Timestamp(millisecondsSince1970: -86_400_000)
            let given = try await storage.record(.given, for: ana, occurredAt: old)
            #expect(try await storage.status(of: ana, at: old) == .inForce(given.inForce))
            #expect(try await storage.status(of: ana, at: old + -1) == .nothing)
        },
    ]

    private static let apart: [Promise] = [
        Promise("consent for one purpose says nothing about another") { storage in
            let (ana, offers) = (try RecipientID.ana, try Purpose("offers"))
            let given = try await storage.record(.given, for: ana)
            let refused = try await storage.record(.refused, for: ana, purpose: offers)
            #expect(try await storage.status(of: ana) == .inForce(given.inForce))
            #expect(try await storage.status(of: ana, for: offers) == .inForce(refused.inForce))
            #expect(try await storage.status(of: ana, for: Purpose("never-heard-of")) == .nothing)
        },
        Promise("consent in one organization says nothing in another") { storage in
            try await storage.record(.given, for: .ana)
            #expect(try await storage.status(of: .ana, in: storage.globex) == .nothing)
        },
        Promise("identifiers that only look the same and are no addresses are two people") { storage in
            let composed = try RecipientID("jos\u{E9}")
            let decomposed = try RecipientID("jose\u{301}")
            let given = try await storage.record(.given, for: composed)
            #expect(try await storage.status(of: decomposed) == .nothing)
            let refused = try await storage.record(.refused, for: decomposed)
            let both = try await storage.consents.statuses(
                of: [composed, decomposed], for: .tracking, in: storage.acme, at: .noon)
            #expect(both.statuses == [.inForce(given.inForce), .inForce(refused.inForce)])
        },
        Promise("many are answered in the order asked, and somebody asked about twice is answered twice") { storage in
            let (ana, bo) = (try RecipientID.ana, try RecipientID.bo)
            let given = try await storage.record(.given, for: ana)
            let answer = try await storage.consents.statuses(
                of: [bo, ana, bo, ana], for: .tracking, in: storage.acme, at: .noon)
            #expect(answer.statuses == [.nothing, .inForce(given.inForce), .nothing, .inForce(given.inForce)])
        },
        Promise("nothing is recorded for an organization that is not there") { storage in
            let nobody = try OrganizationID("nobody")
            await #expect(throws: (any Error).self) {
                try await storage.record(.given, for: .ana, in: nobody)
            }
            #expect(storage.observer.takeChanges().isEmpty)
        },
    ]

    private static let records: [Promise] = [
        Promise("records are returned in the order given, each with a later id") { storage in
            let new = try (0..<50).map { number in
                try NewConsentRecord(
                    recipient: RecipientID("person\(number % 7)"), purpose: .tracking,
                    state: ConsentState.allCases[number % 5], occurredAt: .noon + Int64(-number), validUntil: nil,
                    evidence: nil, now: .noon)
            }
            let stored = try await storage.consents.append(new, in: storage.acme, at: .noon)
            #expect(stored.map(\.state) == new.map(\.state))
            #expect(stored.map(\.occurredAt) == new.map { $0.occurredAt(recordedAt: .noon) })
            #expect(stored.allSatisfy { $0.recordedAt == .noon })
            #expect(stored.map(\.id) == stored.map(\.id).sorted())
            #expect(Set(stored.map(\.id)).count == 50)
        },
        Promise("a record can be read back whole, and only by its organization") { storage in
            let evidence = ConsentEvidence(
                method: "web-form", source: "https://example.com/\"quoted\"?a=\u{1F600}\n",
                notice: .init(id: "privacy", version: "3", language: "", sha256: nil), actor: "subject",
                language: "sv")
            for evidence in [nil, evidence, ConsentEvidence(), ConsentEvidence(notice: .init())] {
                let record = try await storage.record(
                    .given, for: .ana, occurredAt: .noon + -1, validUntil: .noon + 9, evidence: evidence)
                #expect(record.evidence == evidence)
                #expect(try await storage.consents.record(record.id, in: storage.acme) == record)
                #expect(try await storage.consents.record(record.id, in: storage.globex) == nil)
            }
        },
        Promise("whose record it is can be asked by its id alone, also once its person is erased") { storage in
            let ours = try await storage.record(.given, for: .ana)
            let theirs = try await storage.record(.given, for: .ana, in: storage.globex)
            _ = try await storage.consents.erase(.ana, in: storage.acme)
            #expect(try await storage.consents.organization(of: ours.id) == storage.acme)
            #expect(try await storage.consents.organization(of: theirs.id) == storage.globex)
            let none = try #require(ConsentRecordID(rawValue: theirs.id.rawValue + 1))
            #expect(try await storage.consents.organization(of: none) == nil)
        },
        Promise("a person's history has all of their records in the order recorded") { storage in
            let ana = try RecipientID.ana
            #expect(try await storage.consents.history(of: ana, in: storage.acme).isEmpty)
            let first = try await storage.record(.given, for: ana)
            let second = try await storage.record(.withdrawn, for: ana, purpose: Purpose("offers"))
            let third = try await storage.record(.refused, for: ana, occurredAt: .noon + -9000)
            try await storage.record(.given, for: .bo)
            #expect(try await storage.consents.history(of: ana, in: storage.acme) == [first, second, third])
            #expect(try await storage.consents.history(of: ana, in: storage.globex).isEmpty)
        },
        Promise("a history can be read in parts of any length, by purpose and in the order of coming into force") {
            storage in
            let (ana, offers) = (try RecipientID.ana, try Purpose("offers"))
            var recorded: [ConsentRecord] = []
            for number in 0..<40 {
                recorded.append(
                    try await storage.record(
                        ConsentState.allCases[number % 5], for: ana, purpose: number % 3 == 0 ? offers : .tracking,
                        occurredAt: .noon + Int64(-(number * 7 % 11))))
                try await storage.record(.given, for: .bo)
            }
            for limit in [1, 2, 7, 40, 41] {
                var read: [ConsentRecord] = []
                while true {
                    let part = try await storage.consents.history(
                        of: ana, after: read.last, limit: limit, in: storage.acme)
                    #expect(part.count <= limit)
                    guard !part.isEmpty else { break }
                    read += part
                }
                #expect(read.count == 40)
                #expect(Set(read) == Set(recorded))
                for purpose in [offers, .tracking] {
                    let ofPurpose = read.filter { $0.purpose == purpose }
                    for (one, next) in zip(ofPurpose, ofPurpose.dropFirst()) {
                        #expect(next.inForce.outranks(one.inForce))
                    }
                }
                #expect(zip(read, read.dropFirst()).count { $0.purpose != $1.purpose } == 1)
            }
            let nobody = try await storage.consents.history(
                of: RecipientID("nobody"), after: nil, limit: 9, in: storage.acme)
            #expect(nobody.isEmpty)
            #expect(try await storage.consents.history(of: ana, after: nil, limit: 9, in: storage.globex).isEmpty)
            _ = try await storage.consents.erase(ana, in: storage.acme)
            #expect(try await storage.consents.history(of: ana, after: nil, limit: 9, in: storage.acme).isEmpty)
        },
        Promise("the observer knows before the caller, once for each person and purpose") { storage in
            let (ana, bo, offers) = (try RecipientID.ana, try RecipientID.bo, try Purpose("offers"))
            func new(_ recipient: RecipientID, _ purpose: Purpose, _ state: ConsentState) throws -> NewConsentRecord {
                try NewConsentRecord(
                    recipient: recipient, purpose: purpose, state: state, occurredAt: nil, validUntil: nil,
                    evidence: nil, now: .noon)
            }
            _ = storage.observer.take()
            let stored = try await storage.consents.append(
                [
                    new(ana, .tracking, .given), new(bo, .tracking, .given), new(ana, offers, .refused),
                    new(ana, .tracking, .withdrawn),
                ], in: storage.acme, at: .noon)
            let changes = storage.observer.takeChanges()
            #expect(changes.map(\.purpose) == [.tracking, .tracking, offers])
            #expect(changes.map(\.status) == [stored[3], stored[1], stored[2]].map { .inForce($0.inForce) })
            #expect(changes[0].reference == changes[2].reference)
            #expect(changes[0].reference != changes[1].reference)
        },
        Promise("the observer hears of changes in the order in which they were stored") { storage in
            let ana = try RecipientID.ana
            _ = storage.observer.take()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        try await storage.record(.given, for: ana, occurredAt: .noon + Int64(number - 100))
                    }
                }
                try await group.waitForAll()
            }
            let told = storage.observer.takeChanges().compactMap { change in
                if case .inForce(let consent) = change.status { consent.occurredAt } else { nil }
            }
            #expect(told.count == 40)
            #expect(told == told.sorted())
            let final = try await storage.status(of: ana)
            guard case .inForce(let consent) = final else { return #expect(Bool(false)) }
            #expect(told.last == consent.occurredAt)
        },
    ]
}
