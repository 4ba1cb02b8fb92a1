package import Identifiers
import StoragePorts

/// Stores the last checkpoint of each ledger separately from the ledgers, so that a ledger that was replaced or cut can
/// be recognised.
package protocol CheckpointArchive: Sendable {
    /// - Returns: the signed note; `nil` if the organization has none.
    func read(of organization: OrganizationID) async throws(CheckpointArchiveFailure) -> [UInt8]?

    /// Replaces the checkpoint of an organization. Durable on return. If it throws, either the old or the new one is
    /// stored as a whole. Those of several organizations may be written at the same time.
    func write(_ note: [UInt8], of organization: OrganizationID) async throws(CheckpointArchiveFailure)

    /// Whether there may have been a checkpoint of an organization before. If so, a missing one was removed or lost.
    /// Returns false only if that is known, from ``remember(_:)`` and from later writes.
    func mayHaveHad(_ organization: OrganizationID) async throws(CheckpointArchiveFailure) -> Bool

    /// Makes it known which organizations have had a checkpoint: these, the ones known before, and those that are
    /// written later. Durable on return. Must not run at the same time as ``write(_:of:)``.
    func remember(_ organizations: Set<OrganizationID>) async throws(CheckpointArchiveFailure)
}

/// A checkpoint could not be read or written.
package struct CheckpointArchiveFailure: StoreFailure, Equatable {
    package let isTransient: Bool
    package let description: String

    package init(isTransient: Bool, description: String) {
        self.isTransient = isTransient
        self.description = description
    }
}
