package import Identifiers

/// Records who looked at the data about a recipient, and why. All calls may be concurrent.
package protocol AccessLog: Sendable {
    /// Records a look and its entry in the ledger, in one transaction. Durable on return. If it throws, nothing was
    /// written.
    ///
    /// If there is no data about the recipient, the recipient is not stored, because there was nothing to see. The
    /// record then names no recipient, and its commitment confirms that. The reason is in the commitment but is not
    /// stored, because it may name the recipient and no erasure would find it.
    func record(_ access: NewAccess, in organization: OrganizationID, at now: Timestamp) async throws -> AccessEntry

    /// At most `limit` accesses that fit, newest first.
    func accesses(
        matching query: AccessQuery, limit: Int, in organization: OrganizationID
    ) async throws -> [AccessEntry]

    /// Whether the organization has an access with `id`. Accesses are never removed.
    func hasAccess(_ id: AccessID, in organization: OrganizationID) async throws -> Bool

    /// Whether the access with `id` names its recipient. After the recipient was erased, or the access is old, it never
    /// does again.
    func namesRecipient(_ id: AccessID, in organization: OrganizationID) async throws -> Bool
}
