package import Identifiers
import Organizations

/// Keeps the last checkpoint of each ledger apart from the ledgers, so that a ledger that was replaced or cut can be
/// told by it.
package protocol CheckpointArchive: Sendable {
    /// - Returns: the signed note; `nil` where the organization has none.
    func read(of organization: OrganizationID) async throws(CheckpointArchiveFailure) -> [UInt8]?

    /// Replaces the checkpoint of an organization. Durable on return; when it throws, the old one or the new one is
    /// stored whole.
    func write(_ note: [UInt8], of organization: OrganizationID) async throws(CheckpointArchiveFailure)

    /// Whether there may have been a checkpoint of an organization before: then one that is not there was removed or lost.
    /// False only where that is known, from ``remember(_:)`` and what was written since.
    func mayHaveHad(_ organization: OrganizationID) async throws(CheckpointArchiveFailure) -> Bool

    /// From now on it is known of which organizations there was a checkpoint: of these, of those that were known before,
    /// and of those that are written. Durable on return. Not to be called at once with ``write(_:of:)``.
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
