package import Consent
package import Identifiers

/// Looks at what is held about recipients: each is recorded before what was looked at is shown.
///
///     let who = try AccessorName(account: subject)
///     let reason = try AccessReason(typed)
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

    /// Records a look, with its entry in the ledger. Show nothing of the recipient before it returns: it is durable then.
    ///
    /// Of a recipient of whom nothing is held the record has who looked, when and at what, and neither whom nor why.
    /// - Parameter recipient: as they were asked for, in whichever spelling.
    /// - Throws: `LedgerInconsistency` for a closed ledger; a `StoreFailure`. Nothing was recorded then, and nothing may be
    ///   shown.
    @discardableResult
    package func record(
        who: AccessorName, reason: AccessReason, recipient: RecipientID, what: AccessedRecords,
        organization: OrganizationID
    ) async throws -> AccessEntry {
        try await log.record(
            NewAccess(who: who, what: what, recipient: recipient, reason: reason), in: organization, at: now())
    }

    /// At most `limit` recorded looks that fit, newest first. For the next page, ask again with `before` set to the id of
    /// the last one.
    package func list(
        _ query: AccessQuery = AccessQuery(), limit: Int, organization: OrganizationID
    ) async throws -> [AccessEntry] {
        try await log.accesses(matching: query, limit: limit, in: organization)
    }

    /// Whether a page of the organization's looks can end with `id`.
    package func has(_ id: AccessID, organization: OrganizationID) async throws -> Bool {
        try await log.hasAccess(id, in: organization)
    }

    /// Whether a look still names its recipient: not once they were erased.
    package func namesRecipient(_ id: AccessID, organization: OrganizationID) async throws -> Bool {
        try await log.namesRecipient(id, in: organization)
    }
}
