package import Identifiers
import Ledger
import Logging
import Synchronization

extension CheckpointSigner {
    /// Looks for entries that the last process did not sign. If it had signed all entries, these were appended by
    /// another program, and the ledger is closed. Otherwise the process may have been killed before it could sign them,
    /// and they are reported.
    ///
    /// - Parameter whole: the number of entries when the last process ended in an orderly way. A checkpoint of another
    ///   size is not from that time: it was put there later.
    /// - Throws: `LedgerInconsistency` if it closes the ledger.
    func checkForUnsigned(_ organization: OrganizationID, size: UInt64, whole: UInt64?) throws {
        // Another node signs its entries a moment later.
        guard !store.isShared, let signed = last[organization]?.head.size, reason(for: organization) == nil,
            size > signed
        else { return }
        if whole == signed {
            let reason = LedgerInconsistency(organization, .appended(signed...(size - 1)))
            store.close(because: reason)
            throw reason
        }
        record.withLock { $0.countLate(size - signed) }
        logger.warning(
            "signs entries that the last process had not signed when it ended",
            metadata: ["organization": "\(organization)", "first": "\(signed)", "last": "\(size - 1)"])
    }

    /// The ledgers that are signed as a whole now, and the number of entries of each; and the other ledgers that are
    /// signed or have entries. Must be called when a service ends and no more entries are written.
    package func wholeLedgers() async throws -> (whole: [OrganizationID: UInt64], others: Set<OrganizationID>) {
        let unsigned = try await store.unsigned()
        let whole = last.filter { unsigned[$0.key] == nil && reason(for: $0.key) == nil }.mapValues(\.head.size)
        return (whole, Set(last.keys).union(unsigned.keys).subtracting(whole.keys))
    }
}
