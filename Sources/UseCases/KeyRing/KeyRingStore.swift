package import TrackingIDs

/// Keeps the key ring that tracking IDs are signed with.
package protocol KeyRingStore: Sendable {
    /// Replaces the stored ring. Durable on return; when it throws, the old ring or the new one is stored whole.
    func write(_ ring: KeyRing) throws
}
