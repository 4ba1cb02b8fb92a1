package import Identifiers
package import Organizations
import Synchronization

/// When keys were used last, kept in memory until it is written down.
///
/// A request never waits for it. What is recorded is exact to ``precision``; what was not written when the process is
/// killed is lost.
package final class KeyUses: Sendable {
    /// A use is recorded where the one before is so old.
    package static let precision = Duration.seconds(10 * 60)

    private let store: any AccessKeyStore
    private let takesWrites: @Sendable () -> Bool
    private let now: @Sendable () -> Timestamp
    /// Guards the last use of each key that is not written yet. There are no more of them than keys.
    private let unwritten = Mutex<[AccessKeyID: Timestamp]>([:])

    /// - Parameters:
    ///   - takesWrites: whether the store can be written to now.
    ///   - now: the service time.
    package init(
        _ store: any AccessKeyStore, takesWrites: @escaping @Sendable () -> Bool,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.takesWrites = takesWrites
        self.now = now
    }

    /// Notes that a key is used now.
    /// - Parameter key: as the store has it.
    package func note(_ key: AccessKey) {
        let now = now()
        if let recorded = key.lastUsedAt, now < recorded.advanced(by: Self.precision) { return }
        unwritten.withLock { $0[key.id] = max($0[key.id] ?? now, now) }
    }

    /// Records what was noted. Where the store takes no writes, it is kept for the next time.
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
