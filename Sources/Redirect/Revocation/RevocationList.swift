package import Consent
package import Identifiers
import Synchronization

/// From when on recording ends, for the recipients of one organization and purpose it ends for. Whoever is not on it may
/// be recorded: a tracking ID is only ever made for somebody who may be tracked.
///
/// Every click asks it, so a question is a lock of its own sixty-fourth of the list, held for one look-up in a set. A
/// reference is random, so its own bits spread the recipients evenly.
package final class RevocationList: Sendable {
    private static let shardCount: UInt64 = 64

    /// Guards what is known of the references that fall to it.
    private final class Shard: Sendable {
        let content = Mutex(Content())
    }

    private struct Content {
        /// For whom recording has ended already, which is nearly everybody on the list.
        var ended = ReferenceSet()
        /// For whom the end is known ahead.
        var ending: [UInt64: Timestamp] = [:]

        mutating func set(_ reference: UInt64, _ end: Timestamp?) {
            ended.remove(reference)
            ending[reference] = nil
            switch end {
            case .distantPast?: ended.insert(reference)
            case let end?: ending[reference] = end
            case nil: break
            }
        }
    }

    private let shards: [Shard]
    /// Whether recording has ended for everybody. Read for every click, and almost never written.
    private let isClosed = Atomic<Bool>(false)

    package init() {
        shards = (0..<Self.shardCount).map { _ in Shard() }
    }

    /// Whether nothing may be recorded about `reference` at `moment`.
    package func contains(_ reference: RecipientReference, at moment: Timestamp) -> Bool {
        isClosed.load(ordering: .relaxed)
            || shard(of: reference).content.withLock { content in
                content.ended.contains(reference.rawValue)
                    || (!content.ending.isEmpty && content.ending[reference.rawValue].map { $0 <= moment } ?? false)
            }
    }

    /// Ends recording for everybody, whatever is set afterwards.
    func close() { isClosed.store(true, ordering: .relaxed) }

    /// Recording about `reference` ends at `end`; `nil` takes it off the list.
    package func set(_ reference: RecipientReference, end: Timestamp?) {
        shard(of: reference).content.withLock { $0.set(reference.rawValue, end) }
    }

    /// Puts `ends` in the place of everything on the list.
    package func replace(with ends: some Sequence<RecordingEnd>) {
        var counts = [Int](repeating: 0, count: shards.count)
        for end in ends { counts[place(of: end.reference)] += 1 }
        var contents = counts.map { Content(ended: ReferenceSet(capacity: $0)) }
        for end in ends { contents[place(of: end.reference)].set(end.reference.rawValue, end.end) }
        for (shard, content) in zip(shards, contents) { shard.content.withLock { $0 = content } }
    }

    private func shard(of reference: RecipientReference) -> Shard { shards[place(of: reference)] }

    private func place(of reference: RecipientReference) -> Int { Int(reference.rawValue % Self.shardCount) }
}
