import Consent
import Identifiers
import Interactions
import TestSupport
import Testing

/// What every `InteractionStore` promises of a batch that is larger than it writes in the order of the clicks.
package enum LargeBatchContract {
    private static let count = 5_200
    /// So many of them come twice.
    private static let repeated = 40

    package static let promises: [Promise] = [
        Promise("thousands stored at once are what they are one batch after the other, each person's in their order") {
            storage in
            let whole = try await crowd(in: storage.acme, storage)
            let parts = try await crowd(in: storage.globex, storage)
            var batch = occurrences(by: whole, from: 1)
            batch += batch.prefix(repeated)
            try await storage.interactions.store(batch, at: .noon)
            var rest = occurrences(by: parts, from: 100_000)[...]
            while !rest.isEmpty {
                try await storage.interactions.store(Array(rest.prefix(33)), at: .noon)
                rest = rest.dropFirst(33)
            }

            let one = try await stored(in: storage.acme, storage)
            let other = try await stored(in: storage.globex, storage)
            #expect(one.count == count)
            let byID = one.sorted { $0.id < $1.id }
            #expect(byID.map(\.isFirst) == other.map(\.isFirst))
            #expect(byID.map(\.recipient) == other.map(\.recipient))
            #expect(byID.map(\.occurredAt) == other.map(\.occurredAt))
            for (message, own) in Dictionary(grouping: one, by: \.message) {
                for (person, acts) in Dictionary(grouping: own, by: \.recipient) where person != nil {
                    #expect(acts.map(\.id) == acts.map(\.id).sorted(), "\(message)")
                }
            }
            for (message, same) in zip(whole.messages, parts.messages) {
                let (counts, expected) = (
                    try await storage.activity(of: message).counts,
                    try await storage.activity(of: same, in: storage.globex).counts
                )
                #expect(counts == expected)
                #expect(!counts.tallies.isEmpty)
            }
            #expect(try await storage.interactions.count(in: storage.acme) == count)
        },
        Promise("of thousands that were stored in part, the rest is stored once") { storage in
            let batch = occurrences(by: try await crowd(in: storage.acme, storage), from: 1)
            try await storage.interactions.store(batch.prefix(1_100).reversed() + batch.prefix(9), at: .noon)
            try await storage.interactions.store(batch, at: .noon)
            try await storage.interactions.store(batch.reversed(), at: .noon)
            let stored = try await stored(in: storage.acme, storage)
            #expect(stored.map(\.id).sorted() == batch.map(\.id))
            #expect(Set(stored.map(\.position)).count == count)
        },
    ]

    private struct Crowd {
        let messages: [MessageID]
        let references: [[RecipientReference]]
    }

    /// People of three messages. One of them was erased since.
    private static func crowd(in organization: OrganizationID, _ storage: StorageUnderTest) async throws -> Crowd {
        let people = try (0..<30).map { try RecipientID("person\($0)") }
        var (messages, references): ([MessageID], [[RecipientReference]]) = ([], [])
        for name in ["spring", "summer", "autumn"] {
            let message = try await storage.message(name, in: organization)
            messages.append(message)
            references.append(
                try await storage.decide(people.map { ($0, .consentGiven) }, of: message, in: organization)
                    .compactMap(\.reference))
        }
        _ = try await storage.consents.erase(people[7], in: organization)
        return Crowd(messages: messages, references: references)
    }

    /// The same acts of any crowd. Some did more than is judged.
    private static func occurrences(by crowd: Crowd, from number: UInt64) -> [SpooledOccurrence] {
        var random = SeededGenerator(seed: 11)
        return (0..<UInt64(count)).map { index in
            let message = Int.random(in: crowd.messages.indices, using: &random)
            let people = crowd.references[message]
            let person = people[Bool.random(using: &random) ? 0 : Int.random(in: people.indices, using: &random)]
            return SpooledOccurrence(
                id: InteractionID(TimeOrderedNumber(known: number + index)),
                occurrence: .crowded(of: crowd.messages[message], by: [person], &random))
        }
    }

    private static func stored(
        in organization: OrganizationID, _ storage: StorageUnderTest
    ) async throws -> [Interaction] {
        try await storage.interactions.interactions(matching: InteractionQuery(), limit: 9_999, in: organization)
    }
}
