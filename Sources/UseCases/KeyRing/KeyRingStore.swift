package import TrackingIDs

/// Stores the key ring with which tracking IDs are signed.
package protocol KeyRingStore: Sendable {
    /// Replaces the stored ring. Durable on return. If it throws, either the old or the new ring is stored as a whole.
    /// - Throws: ``KeyRingMoved`` if another node has changed it since this node read it.
    func write(_ ring: KeyRing) async throws

    /// Whether other nodes open links with the ring. Then each node must have a key before any node signs with it.
    var isShared: Bool { get }

    /// Waits a while until every node has the ring that was written last.
    /// - Returns: the names of the nodes that do not have it.
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
