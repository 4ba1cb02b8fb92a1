import Identifiers
import Interactions
import TestSupport
import Testing

/// What every `InteractionStore` promises to those who read what comes behind a place.
package enum InteractionFollowingContract {
    package static let promises: [Promise] = [
        Promise("what a drain brings late stands behind every reader's place, although its id is smaller") { storage in
            let message = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: message)
            let hour: UInt64 = 3_600_000 << TimeOrderedNumber.uniqueBits
            try await storage.interactions.store([.click(2 * hour, message, reference)], at: .noon)
            let read = try #require(try await storage.feed(after: nil).first)
            try await storage.interactions.store([.click(hour, message, reference)], at: .noon)
            for query in try [
                InteractionQuery(), InteractionQuery(message: message), InteractionQuery(recipient: .ana),
                InteractionQuery(kind: .pushLinkClicked),
            ] {
                for cursor in [InteractionFeedCursor.position(read.position), .interaction(read.id)] {
                    var query = query
                    query.after = cursor
                    let found = try await storage.interactions.interactions(
                        matching: query, limit: 9, in: storage.acme)
                    #expect(found.map(\.id.rawValue) == [hour], "\(query)")
                }
            }
        },
        Promise("a position carries the time of storing, and never goes back with the clock") { storage in
            let message = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: message)
            for (number, instant) in zip(1..., [Timestamp.noon, .noon + 5_000, .noon + 1_000]) {
                try await storage.interactions.store([.click(UInt64(number), message, reference)], at: instant)
            }
            let all = try await storage.feed(after: nil)
            #expect(all.map(\.id.rawValue) == [1, 2, 3])
            #expect(all.map(\.position.number.timestamp) == [.noon, .noon + 5_000, .noon + 5_000])
            #expect(all[1].position < all[2].position)
        },
        Promise("behind an interaction that is stored no longer is behind the time of its id") { storage in
            let message = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: message)
            let between = TimeOrderedNumber.lowerBound(at: .noon + 30_000)
            try await storage.interactions.store([.click(between + 1, message, reference)], at: .noon)
            try await storage.interactions.store([.click(between + 2, message, reference)], at: .noon + 60_000)
            let gone = InteractionID(TimeOrderedNumber(known: between + 9))
            #expect(try await storage.feed(after: .interaction(gone)).map(\.id.rawValue) == [between + 2])
        },
    ]
}

extension StorageUnderTest {
    fileprivate func feed(after cursor: InteractionFeedCursor?) async throws -> [Interaction] {
        try await interactions.interactions(matching: InteractionQuery(after: cursor), limit: 9, in: acme)
    }
}
