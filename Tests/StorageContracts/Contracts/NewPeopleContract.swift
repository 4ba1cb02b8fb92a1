import Consent
import Identifiers
import TestSupport
import Testing

/// What every storage promises about recipients whom it has not seen before.
package enum NewPeopleContract {
    package static let promises: [Promise] = [
        Promise("recipients who are entered one after the other have references beside each other") { storage in
            let message = try await storage.message()
            var references: [RecipientReference] = []
            for round in 0..<4 {
                let people = try (0..<100).map { try RecipientID("person\($0) of \(round)") }
                references += try await storage.decide(people.map { ($0, .consentGiven) }, of: message)
                    .compactMap(\.reference)
            }
            #expect(Set(references).count == 400)
            // 400 are parts of three runs at most.
            let ownBits = UInt64.bitWidth - RecipientReferenceSequence.sharedBits
            #expect(Set(references.map { $0.rawValue >> UInt64(ownBits) }).count <= 3)
            #expect(Set(references.map { $0.rawValue << UInt64(RecipientReferenceSequence.sharedBits) }).count == 400)
        },
        Promise("a short list of new people has one recipient for each, who is named again, was erased, or is known") {
            storage in
            let message = try await storage.message()
            let (ana, bo, cy) = (try RecipientID.ana, try RecipientID.bo, try RecipientID("cy@example.com"))
            let other = try RecipientID(ana.text.uppercased())
            try await storage.record(.given, for: cy)
            _ = try await storage.consents.erase(cy, in: storage.acme)
            let known = try await storage.reference(of: RecipientID("dan"), message: message)
            let list: [(RecipientID, DecisionReason)] = try [
                (other, .consentGiven), (ana, .consentGiven), (cy, .recipientErased), (bo, .consentGiven),
                (RecipientID("dan"), .consentGiven), (ana, .noConsentRecord), (bo, .consentGiven),
                (other, .consentGiven),
            ]
            let decided = try await storage.decide(list, of: message)
            let references = decided.map(\.reference)
            let (first, fourth) = (try #require(references[0]), try #require(references[3]))
            #expect(references == [first, first, nil, fourth, known, nil, fourth, first])
            #expect(Set([first, fourth, known]).count == 3)
            let query = DecisionQuery(recipient: ana)
            let found = try await storage.decisions.decisions(matching: query, limit: 9, in: storage.acme)
            #expect(found.map(\.recipient) == Array(repeating: other, count: 4))
            let again = try await storage.decide([(bo, .consentGiven), (ana, .consentGiven)], of: message)
            #expect(again.map(\.reference) == [fourth, first])
            try await storage.checkTree()
        },
        Promise("thousands are recorded at once as each alone: who is known, was erased, or comes in two spellings") {
            storage in
            let people = try crowd()
            try await storage.record(.refused, for: people[1])
            try await storage.record(.given, for: people[2])
            _ = try await storage.consents.erase(people[2], in: storage.acme)
            let other = try RecipientID(people[3].text.uppercased())
            let last = try RecipientID("LAST@example.com")
            let list = people + [people[4], other, last, try RecipientID("last@example.com")]
            let records = try list.map {
                try NewConsentRecord(
                    recipient: $0, purpose: .tracking, state: .given, occurredAt: nil, validUntil: nil, evidence: nil,
                    now: .noon)
            }
            _ = try await storage.consents.append(records, in: storage.acme, at: .noon)

            for (person, records) in [
                (people[0], 1), (people[1], 2), (people[2], 1), (people[3], 2), (other, 2), (people[4], 2),
                (people[count - 1], 1), (last, 2),
            ] {
                #expect(try await storage.consents.history(of: person, in: storage.acme).count == records)
            }
            #expect(try await storage.consents.firstName(of: other, in: storage.acme) == people[3])
            #expect(try await storage.consents.firstName(of: list[list.count - 1], in: storage.acme) == last)
            let message = try await storage.message()
            let decided = try await storage.decide(list.map { ($0, .consentGiven) }, of: message)
            #expect(Set(decided.compactMap(\.reference)).count == count + 1)
            #expect(decided[count].reference == decided[4].reference)
            #expect(decided[count + 1].reference == decided[3].reference)
            #expect(decided[count + 2].reference == decided[count + 3].reference)
            #expect(try await storage.checkTree() > UInt64(2 * list.count))
        },
        Promise("thousands are decided about at once as each alone, and known from then on") { storage in
            let people = try crowd()
            let message = try await storage.message()
            try await storage.decide([(people[7], .noConsentRecord)], of: message)
            let list = people + [people[5]]
            let first = try await storage.decide(list.map { ($0, .consentGiven) }, of: message)
            let again = try await storage.decide(list.reversed().map { ($0, .consentGiven) }, of: message)
            #expect(Set(first.compactMap(\.reference)).count == count)
            #expect(again.map(\.reference) == first.map(\.reference).reversed())
            for (person, decisions) in [(people[0], 2), (people[7], 3), (people[5], 4)] {
                let found = try await storage.decisions.decisions(
                    matching: DecisionQuery(recipient: person), limit: 9, in: storage.acme)
                #expect(found.map(\.recipient) == Array(repeating: person, count: decisions))
            }
        },
    ]

    /// As many as an embedded engine enters in an order of its own.
    private static let count = 4_100

    private static func crowd() throws -> [RecipientID] {
        try (0..<count).map { try RecipientID("person\($0)@example.com") }
    }
}
