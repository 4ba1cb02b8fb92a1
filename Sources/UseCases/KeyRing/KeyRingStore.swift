package import TrackingIDs

/// Stores the key ring with which tracking IDs are signed.
package protocol KeyRingStore: Sendable {
    /// Replaces the stored ring. Durable on return. If it throws, the caller continues with the old ring: the
    /// stored ring is the old one or that of another node, or the service is not ready.
    ///
    /// A shared store puts the ring into use itself, because the ring of another node may follow at once.
    /// - Parameter old: the ring from which `ring` was made.
    /// - Throws: ``KeyRingMoved`` if another node has changed the ring, so that `old` is no longer the stored one.
    func write(_ ring: KeyRing, replacing old: KeyRing) async throws

    /// Whether other nodes open links with the ring. Then each node must have a key before any node signs with it.
    var isShared: Bool { get }

    /// Waits a while until every node has the ring that was written last, however long the store takes to answer.
    /// - Returns: the names of the nodes that do not have it.
    /// - Throws: a `StoreFailure` if it cannot be known.
    func waitForEveryNode() async throws -> [String]
}

extension KeyRingStore {
    package var isShared: Bool { false }

    package func waitForEveryNode() async throws -> [String] { [] }
}

/// A token may be genuine: it names a key that this node lacks, and other nodes may have that key.
package struct SigningKeyMissing: Error {
    package init() {}
}

/// Another node has changed the key ring at the same time.
package struct KeyRingMoved: Error {
    package init() {}
}
