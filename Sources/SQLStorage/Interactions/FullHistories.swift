import Interactions
import Synchronization

/// Remembers of whom as much is stored as is judged, so that it is not read again for each of their further
/// interactions: a program that follows one link without end would make each click cost 32 rows.
///
/// More can only be stored, until something is forgotten. So what is remembered is valid while the organization's
/// ``ForgettingState`` is the same. It must be forgotten when a write has failed: the database that comes back may have
/// an earlier state.
final class FullHistories: Sendable {
    private struct Known {
        let kinds: InteractionKindSet
        let state: ForgettingState
    }

    /// Some 10 MB. When there are more, all are read anew.
    private static let most = 100_000

    private let people = Mutex<[ActivityCounting.Person: Known]>([:])

    /// What is known to be stored of somebody; `nil` where that must be read.
    func stored(of person: ActivityCounting.Person, asOf state: ForgettingState?) -> StoredActivity? {
        people.withLock { people in
            guard let known = people[person], known.state == state else { return nil }
            return StoredActivity(fullOf: known.kinds)
        }
    }

    /// - Parameter stored: what was read; it is remembered if it is as much as is judged.
    func note(_ stored: StoredActivity, of person: ActivityCounting.Person, asOf state: ForgettingState?) {
        guard stored.isFull, let state else { return }
        people.withLock { people in
            if people.count >= Self.most { people.removeAll(keepingCapacity: true) }
            people[person] = Known(kinds: stored.kinds, state: state)
        }
    }

    func removeAll() { people.withLock { $0.removeAll() } }
}
