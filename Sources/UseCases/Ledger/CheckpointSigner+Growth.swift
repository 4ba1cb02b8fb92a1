import Identifiers
import Ledger
package import StoragePorts
import Synchronization

extension CheckpointSigner {
    /// How many ledgers are compared or signed at the same time. The store keeps their checkpoints in one transaction.
    static let maximumAtOnce = 16

    /// Signs every ledger that grew since the last time.
    ///
    /// - Returns: whether nothing must be tried again.
    @discardableResult
    package func signGrown() async -> Bool { await signAll().isDone }

    /// Signs what is not signed yet. Must be called when a service ends.
    ///
    /// - Returns: why something stays unsigned; `nil` if only closed ledgers do.
    package func finish() async -> (any StoreFailure)? {
        let failure = await signAll().failure
        return record.withLock { $0.failure } ?? failure
    }

    private func signAll() async -> (isDone: Bool, failure: (any StoreFailure)?) {
        let grown = store.drainGrown()
        let all = record.withLock { $0.recordGrowth(of: grown, at: .now) }
        let failure = await withTaskGroup(of: (any StoreFailure)?.self) { group in
            var failure: (any StoreFailure)?
            for (count, organization) in all.enumerated() {
                if count >= Self.maximumAtOnce, let ended = await group.next() { failure = failure ?? ended }
                group.addTask { await self.signGrown(organization) }
            }
            for await ended in group { failure = failure ?? ended }
            return failure
        }
        return (record.withLock { $0.finishRound() }, failure)
    }

    /// - Returns: why the ledger stays unsigned; `nil` if it is signed, or closed.
    private func signGrown(_ organization: OrganizationID) async -> (any StoreFailure)? {
        do {
            _ = try await checkpoint(of: organization)
            return nil
        } catch {
            record.withLock { $0.recordUnsigned(organization, because: error) }
            return error as? any StoreFailure
        }
    }
}
