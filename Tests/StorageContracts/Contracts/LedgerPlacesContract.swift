import Consent
import Identifiers
import Ledger
import TestSupport
import Testing

/// What every `LedgerStore` promises of where decisions stand in a ledger.
package enum LedgerPlacesContract {
    private static let step: Int64 = 3_600_000

    package static let promises: [Promise] = [
        Promise("decisions are found at the leaves of their entries, and nothing at others") { storage in
            try await fill(storage)
            let items = try await storage.ledgers.entries(from: 0, count: 10_000, in: storage.acme)
            let leaves = Array(0..<UInt64(items.count + 5)).reversed() + [UInt64.max]
            let found = try await storage.ledgers.decisions(at: Array(leaves), in: storage.acme)
            var expected: [UInt64: DecisionID] = [:]
            for item in items { if case .decision(let id) = item.subject { expected[item.leaf] = id } }
            #expect(found == expected && found.count > 2000)
            #expect(try await storage.ledgers.decisions(at: [0, 1, 2], in: OrganizationID("nobody")).isEmpty)
            let other = try await storage.ledgers.decisions(at: Array(leaves), in: storage.globex)
            #expect(Set(other.values).isDisjoint(with: found.values))
        },
        Promise("the leaf behind what was made before a moment is found, whatever stands around it") { storage in
            try await fill(storage)
            let items = try await storage.ledgers.entries(from: 0, count: 10_000, in: storage.acme)
            let size = UInt64(items.count)
            for hours in -1...9 as ClosedRange<Int64> {
                for offset in [-1, 0, 1] as [Int64] {
                    let instant = Timestamp.noon + (hours * step + offset)
                    for size in [size, size / 2, 1, 0] {
                        let before = items.prefix(Int(size)).last { item in
                            switch item.subject {
                            case .decision(let id): id.number.timestamp < instant
                            case .consent(let id): id.number.timestamp < instant
                            case .access(let id): id.number.timestamp < instant
                            case .event: false
                            }
                        }
                        let found = try await storage.ledgers.size(before: instant, of: size, in: storage.acme)
                        #expect(found == before.map { $0.leaf + 1 } ?? 0, "\(hours) \(offset) \(size)")
                    }
                }
            }
        },
    ]

    /// Decisions, consent records and erasures of two organizations, hour by hour; runs of more than 1,024 entries too.
    private static func fill(_ storage: StorageUnderTest) async throws {
        let message = try await storage.message()
        let other = try await storage.message(in: storage.globex)
        for hour in 0..<8 as Range<Int64> {
            let now = Timestamp.noon + hour * step
            if hour == 3 { continue }
            let people = try (0..<(hour == 5 ? 2500 : 3)).map {
                (try RecipientID("p\($0)"), DecisionReason.noConsentRecord)
            }
            try await storage.decide(people, of: message, at: now)
            try await storage.decide([(.bo, .notOptedOut)], of: other, in: storage.globex, at: now)
            if hour.isMultiple(of: 2) { try await storage.record(.refused, for: RecipientID("x\(hour)"), at: now) }
            if hour > 5 { _ = try await storage.consents.erase(RecipientID("x\(hour - 2)"), in: storage.acme) }
        }
    }
}
