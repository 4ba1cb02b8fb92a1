import Identifiers
import Synchronization

/// Messages whose content is known to be small. The content never changes, so the store is asked once for each. A
/// message is known only under its own organization, so that answers to other organizations do not depend on it.
final class SmallMessages: Sendable {
    private struct Owned: Hashable {
        let message: MessageID
        let organization: OrganizationID
    }

    /// If there are more, all are removed and asked about again.
    private static let maximumCount = 10_000

    /// Held for one look-up or insertion.
    private let known = Mutex<Set<Owned>>([])

    func contains(_ id: MessageID, in organization: OrganizationID) -> Bool {
        known.withLock { $0.contains(Owned(message: id, organization: organization)) }
    }

    func insert(_ id: MessageID, in organization: OrganizationID) {
        known.withLock { known in
            if known.count >= Self.maximumCount { known.removeAll(keepingCapacity: true) }
            known.insert(Owned(message: id, organization: organization))
        }
    }
}
