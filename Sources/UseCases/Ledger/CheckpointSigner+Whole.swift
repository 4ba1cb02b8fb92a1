package import Identifiers
import Ledger
import Logging
import Synchronization

extension CheckpointSigner {
    /// Looks for entries that the last process did not sign. Where it had signed all there were, somebody else appended them,
    /// and the ledger is closed. Otherwise it may have been killed before it could sign them, and they are told of.
    ///
    /// - Parameter whole: how many entries there were when the last process ended in good order. A checkpoint of another size
    ///   is not the one of then: it was put there since.
    /// - Throws: `LedgerInconsistency` when it closes the ledger.
    func look(forUnsigned organization: OrganizationID, size: UInt64, whole: UInt64?) throws {
        // Another node signs what it enters in a moment.
        guard !store.isShared, let signed = last[organization]?.head.size, reason(for: organization) == nil,
            size > signed
        else { return }
        if whole == signed {
            let reason = LedgerInconsistency(organization, .appended(signed...(size - 1)))
            store.close(because: reason)
            throw reason
        }
        record.withLock { $0.areLate(size - signed) }
        logger.warning(
            "entries are signed now that were not when the last process ended",
            metadata: ["organization": "\(organization)", "first": "\(signed)", "last": "\(size - 1)"])
    }

    /// The ledgers of which everything is signed now, and how many entries each has. For the end of a service, when nothing
    /// is entered any more.
    package func wholeLedgers() async throws -> [OrganizationID: UInt64] {
        let unsigned = try await store.unsigned()
        return last.filter { unsigned[$0.key] == nil && reason(for: $0.key) == nil }.mapValues(\.head.size)
    }
}
