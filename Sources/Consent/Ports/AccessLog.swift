package import Identifiers

/// Records who looked at what is held about a recipient, and why. May be called at once from anywhere.
package protocol AccessLog: Sendable {
    /// Records a look, with its entry in the ledger: both in one transaction, durable on return. When it throws, nothing
    /// was written.
    ///
    /// A recipient of whom nothing is held is not entered: of them there was nothing to see. The record names nobody then,
    /// and its commitment says so. The reason is committed to and not stored, for no erasure would find it: it may say whom
    /// it is about.
    func record(_ access: NewAccess, in organization: OrganizationID, at now: Timestamp) async throws -> AccessEntry

    /// At most `limit` accesses that fit, newest first.
    func accesses(
        matching query: AccessQuery, limit: Int, in organization: OrganizationID
    ) async throws -> [AccessEntry]

    /// Whether the organization has an access with `id`. None is ever removed.
    func hasAccess(_ id: AccessID, in organization: OrganizationID) async throws -> Bool

    /// Whether the organization's access with `id` names its recipient. It does so until they are erased, or the access is
    /// old, and never again then.
    func namesRecipient(_ id: AccessID, in organization: OrganizationID) async throws -> Bool
}
