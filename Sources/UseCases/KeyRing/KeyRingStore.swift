package import TrackingIDs

/// Keeps the key ring that tracking IDs are signed with.
package protocol KeyRingStore: Sendable {
    /// Replaces the stored ring. Durable on return; when it throws, the old ring or the new one is stored whole.
    /// - Throws: ``KeyRingMoved`` when another node has changed it since this one read it.
    func write(_ ring: KeyRing) async throws

    /// Whether other nodes open links by the ring: then each must have a key before any signs with it.
    var isShared: Bool { get }

    /// Waits a while until every node has the ring that was written last.
    /// - Returns: the names of those that have not.
    func waitForEveryNode() async throws -> [String]
}

extension KeyRingStore {
    package var isShared: Bool { false }

    package func waitForEveryNode() async throws -> [String] { [] }
}

/// Another node has changed the key ring at the same time.
package struct KeyRingMoved: Error {
    package init() {}
}
