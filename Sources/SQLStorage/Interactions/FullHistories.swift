import Interactions
import Synchronization

/// Remembers the recipients who have as many stored interactions as are judged, so that these are not read again for
/// each further one. Otherwise, a program that follows one link without end would make each click cost 32 rows.
///
/// The number only grows until something is forgotten, so the values are valid while the organization's
/// ``ForgettingState`` is the same. They must be removed when a write has failed, because the database may come back
/// with an earlier state.
final class FullHistories: Sendable {
    private struct Known {
        let kinds: InteractionKindSet
        let state: ForgettingState
    }

    /// Takes some 10 MB. When there are more, all are removed and read again.
    private static let maximumCount = 100_000

    private let people = Mutex<[ActivityCounting.Person: Known]>([:])

    /// The known stored interactions of a recipient; `nil` if they must be read.
    func stored(of person: ActivityCounting.Person, asOf state: ForgettingState?) -> StoredActivity? {
        people.withLock { people in
            guard let known = people[person], known.state == state else { return nil }
            return StoredActivity(fullOf: known.kinds)
        }
    }

    /// - Parameter stored: the interactions that were read; remembered if they are as many as are judged.
    func add(_ stored: StoredActivity, of person: ActivityCounting.Person, asOf state: ForgettingState?) {
        guard stored.isFull, let state else { return }
        people.withLock { people in
            if people.count >= Self.maximumCount { people.removeAll(keepingCapacity: true) }
            people[person] = Known(kinds: stored.kinds, state: state)
        }
    }

    func removeAll() { people.withLock { $0.removeAll() } }
}
