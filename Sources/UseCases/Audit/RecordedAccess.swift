package import Consent
package import Identifiers
import Synchronization

/// A recorded look at a recipient whose data is still to be read.
///
/// If there was no data about the recipient when it was recorded, its entry does not name them. Then it is recorded once
/// more before data that was found since is shown.
package final class RecordedAccess: Sendable {
    private let accesses: PersonAccess
    private let access: NewAccess
    private let organization: OrganizationID
    private let last: Mutex<AccessEntry>

    init(_ access: NewAccess, in organization: OrganizationID, entry: AccessEntry, _ accesses: PersonAccess) {
        self.accesses = accesses
        self.access = access
        self.organization = organization
        last = Mutex(entry)
    }

    /// Must be awaited with what was read about the recipient before it is shown.
    /// - Returns: `items`; on return an entry names the recipient, unless there are none, or the recipient was erased
    ///   meanwhile.
    /// - Throws: as ``PersonAccess/record(who:reason:recipient:what:organization:)``
    func showing<Items: Collection>(_ items: Items) async throws -> Items {
        guard !items.isEmpty else { return items }
        let last = last.withLock { $0 }
        if last.recipient != nil, try await accesses.namesRecipient(last.id, organization: organization) {
            return items
        }
        let entry = try await accesses.record(
            who: access.who, reason: access.reason, recipient: access.recipient, what: access.what,
            organization: organization)
        self.last.withLock { $0 = entry }
        return items
    }
}

extension PersonAccess {
    /// Records a look whose data is read after it.
    package func look(
        who: AccessorName, reason: AccessReason, recipient: RecipientID, what: AccessedRecords,
        organization: OrganizationID
    ) async throws -> RecordedAccess {
        let entry = try await record(
            who: who, reason: reason, recipient: recipient, what: what, organization: organization)
        return RecordedAccess(
            NewAccess(who: who, what: what, recipient: recipient, reason: reason), in: organization, entry: entry, self)
    }
}

extension RecordedAccess? {
    /// As ``RecordedAccess/showing(_:)``; without a look, `items` as they are.
    package func showing<Items: Collection>(_ items: Items) async throws -> Items {
        if let self { try await self.showing(items) } else { items }
    }
}
