import Consent
import Identifiers
import TestSupport
import Testing

/// What every `ConsentStore` promises about a grant that arrives twice, because its sender lost the first answer.
package enum RepeatedGrantContract {
    private static let minute: Int64 = 60_000

    package static let promises: [Promise] =
        ([1, 4, 10] as [Int64]).map { minutes in
            Promise("a copy of a grant from a fast clock does not outrank a no in between, \(minutes) minutes later") {
                storage in
                let (ana, claimed) = (try RecipientID.ana, Timestamp.noon + 5 * minute)
                let first = try await storage.record(.given, for: ana, occurredAt: claimed)
                let no = try await storage.record(.withdrawn, for: ana, at: .noon + 1000)
                let later = Timestamp.noon + minutes * minute
                for _ in 0..<2 {
                    let copy = try await storage.record(.given, for: ana, occurredAt: claimed, at: later)
                    #expect(copy.occurredAt == first.occurredAt)
                    #expect(copy.recordedAt == later)
                }
                for instant in [later, .noon + 60 * minute] {
                    #expect(try await storage.status(of: ana, at: instant) == .inForce(no.inForce))
                }
            }
        } + copies

    private static let copies: [Promise] = [
        Promise("copies among many are known, also within one request") { storage in
            let names = try (0..<300).map { try RecipientID("person\($0)") }
            let now = Timestamp.noon + minute
            func grants(of names: [RecipientID], at now: Timestamp) throws -> [NewConsentRecord] {
                try names.map {
                    try NewConsentRecord(
                        recipient: $0, purpose: .tracking, state: .given, occurredAt: .noon + 3 * minute,
                        validUntil: nil, evidence: ConsentEvidence(method: "form"), now: now)
                }
            }
            _ = try await storage.consents.append(
                grants(of: Array(names[..<100]) + [names[0]], at: .noon), in: storage.acme, at: .noon)
            let stored = try await storage.consents.append(grants(of: names, at: now), in: storage.acme, at: now)
            #expect(stored[..<100].allSatisfy { $0.occurredAt == .noon })
            #expect(stored[100...].allSatisfy { $0.occurredAt == now })
        },
        Promise("a copy of a grant whose time is past has that time, and changes nothing that is in force") { storage in
            let ana = try RecipientID.ana
            try await storage.record(.given, for: ana, occurredAt: .noon + 5, at: .noon + 9)
            let no = try await storage.record(.withdrawn, for: ana, at: .noon + 9)
            let copy = try await storage.record(.given, for: ana, occurredAt: .noon + 5, at: .noon + 20)
            #expect(copy.occurredAt == .noon + 5)
            #expect(try await storage.status(of: ana, at: .noon + 20) == .inForce(no.inForce))
        },
        Promise("a grant that differs in anything is another one") { storage in
            let (ana, claimed, now) = (try RecipientID.ana, Timestamp.noon + 3 * minute, Timestamp.noon + minute)
            let (end, evidence) = (Timestamp.noon + 60 * minute, ConsentEvidence(method: "form"))
            try await storage.record(.given, for: ana, occurredAt: claimed, validUntil: end)
            let others = [
                try await storage.record(.given, for: ana, occurredAt: claimed, at: now),
                try await storage.record(
                    .given, for: ana, occurredAt: claimed + 1, validUntil: end, at: now),
                try await storage.record(
                    .given, for: ana, occurredAt: claimed, validUntil: end, evidence: evidence, at: now),
                try await storage.record(
                    .given, for: ana, purpose: Purpose("offers"), occurredAt: claimed, validUntil: end,
                    at: now),
                try await storage.record(.given, for: .bo, occurredAt: claimed, validUntil: end, at: now),
                try await storage.record(
                    .given, for: ana, occurredAt: claimed, validUntil: end, in: storage.globex, at: now),
            ]
            #expect(others.allSatisfy { $0.occurredAt == now })
        },
        Promise("a no from a fast clock counts from each copy") { storage in
            let (ana, claimed) = (try RecipientID.ana, Timestamp.noon + 3 * minute)
            try await storage.record(.withdrawn, for: ana, occurredAt: claimed)
            try await storage.record(.given, for: ana, at: .noon + 1000)
            let copy = try await storage.record(.withdrawn, for: ana, occurredAt: claimed, at: .noon + minute)
            #expect(try await storage.status(of: ana, at: .noon + minute) == .inForce(copy.inForce))
        },
    ]
}
