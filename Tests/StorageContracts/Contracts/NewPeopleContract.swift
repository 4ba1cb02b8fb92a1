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
        }
    ]
}
