package import Identifiers
package import Organizations
import Synchronization

/// The last uses of keys, kept in memory until they are stored.
///
/// A request never waits for storing them. Stored times are exact to ``precision``; uses that are not stored yet are
/// lost if the process is killed.
package final class KeyUses: Sendable {
    /// A use is recorded if the recorded one is at least so old.
    static let precision = Duration.minutes(10)

    private let store: any APIKeyStore
    private let takesWrites: @Sendable () -> Bool
    private let now: @Sendable () -> Timestamp
    /// Guards the last use of each key that is not stored yet. There are at most as many as keys.
    private let unwritten = Mutex<[APIKeyID: Timestamp]>([:])

    /// - Parameters:
    ///   - takesWrites: whether the store can be written to now.
    ///   - now: returns the service time.
    package init(
        _ store: any APIKeyStore, takesWrites: @escaping @Sendable () -> Bool,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.takesWrites = takesWrites
        self.now = now
    }

    /// Notes that a key is used now.
    /// - Parameter key: as it is in the store.
    package func note(_ key: APIKey) {
        let now = now()
        if let recorded = key.lastUsedAt, recorded.isPossible(at: now), now < recorded.advanced(by: Self.precision) {
            return
        }
        unwritten.withLock { $0[key.id] = max($0[key.id] ?? now, now) }
    }

    /// Stores the noted uses. If the store takes no writes, they stay for the next call.
    package func write() async {
        guard takesWrites() else { return }
        let uses = unwritten.withLock { unwritten in
            defer { unwritten = [:] }
            return unwritten
        }
        guard !uses.isEmpty else { return }
        do {
            try await store.noteUses(uses)
        } catch {
            unwritten.withLock { unwritten in unwritten.merge(uses) { max($0, $1) } }
        }
    }
}
