package import Identifiers
package import StoragePorts

/// Replaces a storage whose server could not be used when the service started. A node then redirects by the rules in
/// its mirror; every other request fails as it does while the server is away.
package struct UnavailableStorage: OpenStorage {
    package let stores: SQLStores
    package let status: StorageStatus
    private let node: UnavailableNode
    private let latest: Timestamp

    /// - Parameters:
    ///   - failure: why the storage cannot be used.
    ///   - slot: the slot of this node.
    ///   - peers: the addresses at which other nodes can be asked.
    ///   - latest: the latest time that is known from the storage.
    package init(
        _ failure: any StoreFailure, status: StorageStatus, hasher: RecipientHasher, slot: NodeSlot, peers: [String],
        latest: Timestamp
    ) {
        self.status = status
        node = UnavailableNode(slot: slot, failure: failure, peers: peers)
        self.latest = latest
        stores = SQLStores(
            UnavailableDatabase(failure: failure), ledgers: CommittedLedgers(), hasher: hasher,
            rules: .shared(UnavailableRules(failure: failure)))
    }

    /// Why the storage cannot be used.
    package var failure: any StoreFailure { node.failure }

    package var shared: (any SharedStorage)? { node }

    package var isCopy: Bool { false }

    package var bytesOnServer: Int64? { nil }

    package func latestTime() async throws -> Timestamp { latest }

    package func lastInteraction() async throws -> InteractionID? {
        TimeOrderedNumber(rawValue: TimeOrderedNumber.lowerBound(at: latest)).map(InteractionID.init)
    }

    package func retryIfFull() async {}

    /// It accepts no writes in any case.
    package func refuseWrites(because _: String) {}

    package func close() throws {}
}
