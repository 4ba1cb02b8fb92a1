package import Consent
package import Identifiers
import Synchronization

/// The recipients of one organization and ``RecordingScope`` whose recording ends, and when. Any other recipient may be
/// recorded: tracking IDs are made only for recipients who may be tracked. A recipient who is tracked for one activity
/// alone is on the list of the other activity.
///
/// Every click looks up one recipient. A look-up locks one sixty-fourth of the list, for the time of a search in a set.
/// References are random, and only the first of their bits may be shared, so the last bits spread them evenly.
package final class RevocationList: Sendable {
    private static let shardCount: UInt64 = 64

    /// The lock guards the entries of the references that belong to the shard.
    private final class Shard: Sendable {
        let content = Mutex(Content())
    }

    private struct Content {
        /// The recipients whose recording has ended, which are nearly all on the list.
        var ended = ReferenceSet()
        /// The recipients whose recording ends at a known time.
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
    /// Whether recording has ended for all recipients. Read for every click, and almost never written.
    private let isClosed = Atomic<Bool>(false)

    package init() {
        shards = (0..<Self.shardCount).map { _ in Shard() }
    }

    /// Whether nothing may be recorded about `reference` at `time`.
    package func contains(_ reference: RecipientReference, at time: Timestamp) -> Bool {
        isClosed.load(ordering: .relaxed)
            || shard(of: reference).content.withLock { content in
                content.ended.contains(reference.rawValue)
                    || (!content.ending.isEmpty && content.ending[reference.rawValue].map { $0 <= time } ?? false)
            }
    }

    /// Ends recording for all recipients, for good.
    func close() { isClosed.store(true, ordering: .relaxed) }

    /// Recording about `reference` ends at `end`; `nil` takes it off the list.
    package func set(_ reference: RecipientReference, end: Timestamp?) {
        shard(of: reference).content.withLock { $0.set(reference.rawValue, end) }
    }

    /// Adds `ends`; of two for one recipient, the earlier one counts.
    func add(_ ends: some Sequence<RecordingEnd>) {
        for end in ends where !contains(end.reference, at: end.end) { set(end.reference, end: end.end) }
    }

    /// Replaces the whole list with `ends`.
    package func replace(with ends: some Sequence<RecordingEnd>) {
        var counts = [Int](repeating: 0, count: shards.count)
        for end in ends { counts[index(of: end.reference)] += 1 }
        var contents = counts.map { Content(ended: ReferenceSet(capacity: $0)) }
        for end in ends { contents[index(of: end.reference)].set(end.reference.rawValue, end.end) }
        for (shard, content) in zip(shards, contents) { shard.content.withLock { $0 = content } }
    }

    private func shard(of reference: RecipientReference) -> Shard { shards[index(of: reference)] }

    private func index(of reference: RecipientReference) -> Int { Int(reference.rawValue % Self.shardCount) }
}
