import Identifiers
import Synchronization

/// Messages whose content is known to be small. The content never changes, so the store is asked once for each.
final class SmallMessages: Sendable {
    /// If there are more, all are removed and asked about again.
    private static let maximumCount = 10_000

    /// Held for one look-up or insertion.
    private let known = Mutex<Set<MessageID>>([])

    func contains(_ id: MessageID) -> Bool { known.withLock { $0.contains(id) } }

    func insert(_ id: MessageID) {
        known.withLock { known in
            if known.count >= Self.maximumCount { known.removeAll(keepingCapacity: true) }
            known.insert(id)
        }
    }
}
