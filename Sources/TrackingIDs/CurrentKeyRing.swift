import Synchronization

/// The key ring in force, for all sealers and openers. Rotating and retiring replace the whole ring.
package final class CurrentKeyRing: Sendable {
    /// Guards the ring; the hot path reads ``version`` and takes the lock only if that has changed.
    private let ring: Mutex<KeyRing>
    private let changes = Atomic<Int>(0)
    /// Read only for tokens that do not open, so it costs a click nothing.
    private let isBehind = Mutex<(@Sendable () -> Bool)?>(nil)

    package init(_ ring: KeyRing) { self.ring = Mutex(ring) }

    /// Grows with every change: the owner of a sealer or an opener must make a new one when this has changed,
    /// as ``KeyRingDerived`` does.
    package var version: Int { changes.load(ordering: .acquiring) }

    package var value: KeyRing { ring.withLock { $0 } }

    package func replace(with fresh: KeyRing) {
        ring.withLock { $0 = fresh }
        changes.add(1, ordering: .releasing)
    }

    /// - Parameter isBehind: whether other nodes may have keys now that this ring lacks. Must be quick.
    package func mayLackKeys(while isBehind: @escaping @Sendable () -> Bool) {
        self.isBehind.withLock { $0 = isBehind }
    }

    /// Whether a token that was refused may be genuine: it names a key that this ring lacks, and other nodes may have
    /// that key.
    package func mayOpenLater(_ refusal: TrackingIDRefusal) -> Bool {
        guard refusal == .unknownKey, let isBehind = isBehind.withLock({ $0 }) else { return false }
        return isBehind()
    }
}
