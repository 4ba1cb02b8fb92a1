package import Consent
package import Identifiers

/// Records every look at the data about recipients before the data is shown.
///
///     let who = try AccessorName(account: subject)
///     let reason = try AccessReason(stated: typed)
///     try await access.record(who: who, reason: reason, recipient: ana, what: .timeline, organization: acme)
///     let looks = try await access.list(AccessQuery(recipient: ana), limit: 50, organization: acme)
package struct PersonAccess: Sendable {
    private let log: any AccessLog
    private let now: @Sendable () -> Timestamp

    /// - Parameter now: the service time.
    package init(log: any AccessLog, now: @escaping @Sendable () -> Timestamp) {
        self.log = log
        self.now = now
    }

    /// Records a look, with its entry in the ledger. It is durable on return. The caller must not show any data about
    /// the recipient before that.
    ///
    /// If there is no data about the recipient, the record has who looked, when and at what, but neither the recipient
    /// nor the reason.
    /// - Parameter recipient: the recipient in the spelling of the request.
    /// - Throws: `LedgerInconsistency` for a closed ledger; a `StoreFailure`. Then nothing was recorded, and the caller
    ///   must not show any data.
    @discardableResult
    package func record(
        who: AccessorName, reason: AccessReason, recipient: RecipientID, what: AccessedRecords,
        organization: OrganizationID
    ) async throws -> AccessEntry {
        try await log.record(
            NewAccess(who: who, what: what, recipient: recipient, reason: reason), in: organization, at: now())
    }

    /// At most `limit` recorded looks that fit, newest first. For the next page, ask again with `before` set to the id
    /// of the last one.
    package func list(
        _ query: AccessQuery = AccessQuery(), limit: Int, organization: OrganizationID
    ) async throws -> [AccessEntry] {
        try await log.accesses(matching: query, limit: limit, in: organization)
    }

    /// Whether a page of the organization's looks can end with `id`.
    package func has(_ id: AccessID, organization: OrganizationID) async throws -> Bool {
        try await log.hasAccess(id, in: organization)
    }

    /// Whether a look still names its recipient, which it no longer does after an erasure.
    package func namesRecipient(_ id: AccessID, organization: OrganizationID) async throws -> Bool {
        try await log.namesRecipient(id, in: organization)
    }
}
