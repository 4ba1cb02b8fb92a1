import Consent
import Identifiers
import Ledger
import Organizations
import TestSupport
import Testing

/// What every storage promises about a recipient whom callers spell in more than one way.
package enum RecipientIdentityContract {
    package static let promises: [Promise] = consent + decisions + erasure

    private static let spellings = ["Ana@Bücher.example", "ana@bücher.example", "ANA@XN--BCHER-KVA.example"]

    private static func names() throws -> [RecipientID] { try spellings.map { try RecipientID($0) } }

    private static let consent: [Promise] = [
        Promise("a no in one spelling is a no in all of them") { storage in
            let names = try names()
            for (index, name) in names.enumerated() {
                try await storage.record(.given, for: names[0], at: .noon + Int64(2 * index))
                let no = try await storage.record(.withdrawn, for: name, at: .noon + Int64(2 * index + 1))
                for other in names {
                    let instant = Timestamp.noon + Int64(2 * index + 1)
                    #expect(try await storage.status(of: other, at: instant) == .inForce(no.inForce))
                }
            }
            for name in names {
                #expect(try await storage.consents.history(of: name, in: storage.acme).count == 6)
                let part = try await storage.consents.history(of: name, after: nil, limit: 9, in: storage.acme)
                #expect(part.count == 6)
            }
            try await storage.checkTree()
        },
        Promise("a recipient is shown by the name that was given first, and the ledger has no other") { storage in
            let names = try names()
            #expect(try await storage.consents.firstName(of: names[0], in: storage.acme) == nil)
            var records: [ConsentRecord] = []
            for name in names { records.append(try await storage.record(.given, for: name)) }
            for name in names {
                #expect(try await storage.consents.firstName(of: name, in: storage.acme) == names[0])
            }
            for record in records {
                let item = try #require(try await storage.ledgers.entry(of: record.id, in: storage.acme))
                #expect(item.opening?.fields == PrivateFields.consent(record, about: names[0]))
                try item.checkOpening()
            }
            try await storage.checkTree()
        },
        Promise("names of one append are told apart as those of several are") { storage in
            let new = try names().map {
                try NewConsentRecord(
                    recipient: $0, purpose: .tracking, state: .given, occurredAt: nil, validUntil: nil, evidence: nil,
                    now: .noon)
            }
            _ = try await storage.consents.append(new, in: storage.acme, at: .noon)
            #expect(try await storage.consents.history(of: names()[1], in: storage.acme).count == 3)
            try await storage.checkTree()
        },
        Promise("an organization that compares exactly has as many recipients as spellings") { storage in
            let names = try names()
            let exact = Organization(
                id: try OrganizationID("exact"), name: "Exact", enforcement: .restrictive, identifiers: .exact)
            _ = try await storage.organizations.create(exact, firstKey: StorageUnderTest.key(9), at: .noon)
            #expect(try await storage.organizations.organization(exact.id) == exact)
            try await storage.record(.given, for: names[0], in: exact.id)
            #expect(try await storage.consents.history(of: names[0], in: exact.id).count == 1)
            #expect(try await storage.consents.history(of: names[1], in: exact.id).isEmpty)
            #expect(try await storage.consents.firstName(of: names[1], in: exact.id) == nil)
        },
    ]

    private static let decisions: [Promise] = [
        Promise("one request that names a recipient twice decides about one recipient") { storage in
            let (names, message) = (try names(), try await storage.message())
            let decided = try await storage.decide(names.map { ($0, .noConsentRecord) }, of: message)
            for name in names {
                let query = DecisionQuery(recipient: name)
                let found = try await storage.decisions.decisions(matching: query, limit: 9, in: storage.acme)
                #expect(found.map(\.id) == decided.map(\.id))
                #expect(found.allSatisfy { $0.recipient == names[0] })
            }
            try await storage.checkTree()
        },
        Promise("a decision about a recipient known by another spelling enters the name that is known") { storage in
            let (names, message) = (try names(), try await storage.message())
            // The plain spelling first: then the key itself is the name.
            for known in [try RecipientID("ana@xn--bcher-kva.example"), try RecipientID("Bo@Example.com")] {
                let given = try await storage.record(.given, for: known)
                let other = try RecipientID(known.text.uppercased())
                let asked = try await storage.consents.statuses(
                    of: [other], for: .tracking, in: storage.acme, at: .noon)
                #expect(asked.statuses == [.inForce(given.inForce)])
                let verdict = ConsentVerdict(reason: .consentGiven, basis: given.id)
                let decided = try await storage.decisions.append(
                    [Decision(recipient: other, verdict: verdict)], of: message,
                    in: storage.acme, asOf: asked.basis, at: .noon)
                let entry = try #require(try await storage.decisions.decision(decided[0].id, in: storage.acme))
                #expect(entry.recipient == known)
                let item = try #require(try await storage.ledgers.entry(of: decided[0].id, in: storage.acme))
                try item.checkOpening()
            }
            #expect(try await storage.consents.firstName(of: names[0], in: storage.acme)?.text.first == "a")
            try await storage.checkTree()
        },
        Promise("who withdraws by reference withdraws under every spelling") { storage in
            let (names, message) = (try names(), try await storage.message())
            try await storage.record(.given, for: names[0])
            let reference = try await storage.reference(of: names[1], message: message)
            let no = try #require(try await storage.withdraw(reference, at: .noon + 1).record)
            for name in names {
                #expect(try await storage.status(of: name, at: .noon + 1) == .inForce(no.inForce))
            }
            #expect(try await storage.status(of: reference, at: .noon + 1) == .inForce(no.inForce))
            try await storage.checkTree()
        },
    ]

    private static let erasure: [Promise] = [
        Promise("who is erased under one spelling is erased under all, and named anew by the one that comes next") {
            storage in
            let (names, message) = (try names(), try await storage.message())
            try await storage.record(.given, for: names[0])
            try await storage.decide([(names[1], .consentGiven)], of: message)
            let erased = try await storage.consents.erase(names[2], in: storage.acme)
            #expect(erased == ErasureCounts(consents: 1, decisions: 1, interactions: 0))
            for name in names {
                #expect(try await storage.status(of: name) == .erased)
                #expect(try await storage.consents.firstName(of: name, in: storage.acme) == nil)
            }
            #expect(try await storage.consents.erase(names[0], in: storage.acme).consents == 0)
            // Heard of again, and still not to be tracked.
            try await storage.record(.refused, for: names[1])
            #expect(try await storage.consents.firstName(of: names[0], in: storage.acme) == names[1])
            try await storage.record(.given, for: names[0], at: .noon + 1)
            #expect(try await storage.consents.history(of: names[2], in: storage.acme).count == 2)
            #expect(try await storage.consents.firstName(of: names[0], in: storage.acme) == names[1])
            try await storage.checkTree()
        }
    ]
}

extension StorageUnderTest {
    fileprivate func withdraw(_ reference: RecipientReference, at now: Timestamp) async throws -> Withdrawal {
        try await consents.withdraw(
            reference, for: .tracking, evidence: ConsentEvidence(method: "page"), in: acme, at: now)
    }
}

extension Withdrawal {
    fileprivate var record: ConsentRecord? {
        if case .recorded(let record) = self { record } else { nil }
    }
}
