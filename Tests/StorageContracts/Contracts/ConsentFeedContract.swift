import Consent
import Identifiers
import TestSupport
import Testing

/// What every storage promises about the consent feed.
package enum ConsentFeedContract {
    package static let promises = [
        Promise("records and erasures stand in the order of their commits, between decisions, one organization apart") {
            storage in
            let (ana, bo, message) = (try RecipientID.ana, try RecipientID.bo, try await storage.message())
            let first = try await storage.record(.given, for: ana)
            try await storage.decide([(ana, .consentGiven)], of: message)
            try await storage.record(.given, for: bo, in: storage.globex)
            let second = try await storage.record(.given, for: bo)
            let erasure = try await storage.consents.erase(ana, in: storage.acme)
            try await storage.decide([(bo, .consentGiven)], of: message)
            let third = try await storage.record(.withdrawn, for: bo)
            let items = try await read(storage, limit: 9)
            #expect(
                items.map(\.content) == [
                    .recorded(first, recipient: nil), .recorded(second, recipient: bo),
                    .erased(at: .noon, erasure), .recorded(third, recipient: bo),
                ])
            #expect(erasure == ErasureCounts(consents: 1, decisions: 1, interactions: 0))
        },
        Promise("a reader that keeps its place gets each item once, whatever the size of its pages") { storage in
            let names = try (0..<40).map { try RecipientID("person-\($0)@example.com") }
            let message = try await storage.message()
            for (number, name) in names.enumerated() {
                try await storage.record(.given, for: name)
                if number % 7 == 0 { _ = try await storage.consents.erase(name, in: storage.acme) }
                if number % 5 == 0 { try await storage.decide([(name, .noConsentRecord)], of: message) }
                if number % 3 == 0 { try await storage.record(.given, for: name, in: storage.globex) }
            }
            let all = try await read(storage, limit: 1000)
            #expect(all.count == 46)
            for limit in [1, 2, 7, 45] {
                var (found, position) = ([ConsentFeedItem](), ConsentFeedPosition?.none)
                while true {
                    let page = try await read(storage, after: position, limit: limit)
                    guard let last = page.last else { break }
                    #expect(page.count <= limit)
                    found += page
                    position = last.position
                }
                #expect(found == all)
            }
        },
        Promise("what is read at once ends where its evidence is long, and nothing is missing after it") { storage in
            // 64 of them have as much evidence as is read at once.
            let evidence = ConsentEvidence(source: String(repeating: "x", count: ConsentEvidence.lengthAtOnce / 64))
            let ana = try RecipientID.ana
            let records = try (0..<100).map { _ in
                try NewConsentRecord(
                    recipient: ana, purpose: .tracking, state: .given, occurredAt: nil, validUntil: nil,
                    evidence: evidence, now: .noon)
            }
            let stored = try await storage.consents.append(records, in: storage.acme, at: .noon)
            let first = try await read(storage, limit: 1000)
            let rest = try await read(storage, after: first.last?.position, limit: 1000)
            #expect(first.count == 64 && rest.count == 36)
            #expect(first.hasMuchEvidence && !rest.hasMuchEvidence)
            #expect((first + rest).map(\.content) == stored.map { .recorded($0, recipient: ana) })
            let consents = storage.consents
            let some = try await consents.history(of: ana, after: nil, limit: 1000, in: storage.acme)
            let others = try await consents.history(of: ana, after: some.last, limit: 1000, in: storage.acme)
            #expect(some.count == 64 && some + others == stored)
            let bare = try await consents.historyWithoutEvidence(of: ana, after: nil, limit: 1000, in: storage.acme)
            #expect(bare.map(\.id) == stored.map(\.id) && bare.allSatisfy { $0.evidence == nil })
        },
        Promise("one append of many records is read in its order, also across the bounds of runs") { storage in
            let now = Timestamp.noon
            let records = try (0..<2500).map {
                try NewConsentRecord(
                    recipient: RecipientID("many-\($0)"), purpose: .tracking, state: .given, occurredAt: nil,
                    validUntil: nil, evidence: nil, instant: RecordingTime(now: now))
            }
            let stored = try await storage.consents.append(records, in: storage.acme, at: now)
            var (found, position) = ([ConsentRecordID](), ConsentFeedPosition?.none)
            while case let page = try await read(storage, after: position, limit: 999), let last = page.last {
                found += page.compactMap { if case .recorded(let record, _) = $0.content { record.id } else { nil } }
                position = last.position
            }
            #expect(found == stored.map(\.id))
        },
        Promise("a place behind the end is none, and an unknown organization has an empty feed") { storage in
            try await storage.record(.given, for: .ana)
            let end = try #require(try await read(storage, limit: 9).last?.position)
            #expect(try await storage.consents.items(after: end, limit: 9, in: storage.acme) == [])
            guard case .entry(let index, _) = end else { return #expect(Bool(false), "\(end)") }
            let behind = ConsentFeedPosition.entry(index + 1, mark: nil)
            #expect(try await storage.consents.items(after: behind, limit: 9, in: storage.acme) == nil)
            #expect(try await storage.consents.items(after: nil, limit: 9, in: OrganizationID("nobody")) == [])
        },
        Promise("a place whose entry is another one now, as in a database that was put back, is none") { storage in
            let first = try await storage.record(.given, for: .ana)
            try await storage.decide([(.ana, .consentGiven)], of: try await storage.message())
            let second = try await storage.record(.given, for: .bo)
            let items = try await read(storage, limit: 9)
            let positions = items.map(\.position)
            #expect(Set(positions).count == 2)
            guard case .entry(let index, _)? = positions.first else { return #expect(Bool(false), "\(positions)") }
            let kept = ConsentFeedPosition.entry(index, mark: first.id.rawValue)
            #expect(try await read(storage, after: kept, limit: 9) == [items[1]])
            // Of an item that this feed does not have, of its other item, and of an entry that is no item.
            for position in [
                ConsentFeedPosition.entry(index, mark: first.id.rawValue + 1),
                .entry(index, mark: second.id.rawValue), .entry(index + 1, mark: second.id.rawValue),
                .entry(index + 9, mark: first.id.rawValue),
            ] {
                #expect(try await storage.consents.items(after: position, limit: 9, in: storage.acme) == nil)
            }
            // Kept by a reader of an earlier version.
            #expect(try await read(storage, after: .entry(index, mark: nil), limit: 9) == [items[1]])
        },
    ]

    private static func read(
        _ storage: StorageUnderTest, after position: ConsentFeedPosition? = nil, limit: Int
    ) async throws -> [ConsentFeedItem] {
        try #require(try await storage.consents.items(after: position, limit: limit, in: storage.acme))
    }
}
