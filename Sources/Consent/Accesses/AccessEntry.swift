package import Identifiers

/// A recorded look at the data about a recipient.
package struct AccessEntry: Hashable, Sendable {
    /// Carries the time when the access was recorded.
    package let id: AccessID
    package let who: AccessorName
    package let what: AccessedRecords
    /// `nil` if there was no data about the recipient, if the recipient was erased before or after, or if the retention
    /// of accesses has ended.
    package let recipient: RecipientID?
    /// `nil` if `recipient` is: the reason is forgotten with the recipient, and is not stored if there was no data
    /// about them.
    package let reason: AccessReason?

    package init(
        id: AccessID, who: AccessorName, what: AccessedRecords, recipient: RecipientID?, reason: AccessReason?
    ) {
        self.id = id
        self.who = who
        self.what = what
        self.recipient = recipient
        self.reason = reason
    }

    package var accessedAt: Timestamp { id.number.timestamp }

    package var withoutReason: AccessEntry {
        AccessEntry(id: id, who: who, what: what, recipient: recipient, reason: nil)
    }
}

/// A look that is to be recorded.
package struct NewAccess: Hashable, Sendable {
    package let who: AccessorName
    package let what: AccessedRecords
    package let recipient: RecipientID
    package let reason: AccessReason

    package init(who: AccessorName, what: AccessedRecords, recipient: RecipientID, reason: AccessReason) {
        self.who = who
        self.what = what
        self.recipient = recipient
        self.reason = reason
    }
}

/// The kind of data about a recipient that was looked at.
package enum AccessedRecords: String, Hashable, Sendable, CaseIterable {
    /// Consent records.
    case consents
    case consentRequests
    case decisions
    case interactions
    /// Everything, for the recipient's own request for access, or as evidence.
    case export
    /// The recorded accesses to their data.
    case accesses
    /// Everything in the order of time, as the console shows it.
    case timeline
}

/// A query for accesses; a filter of `nil` matches all.
package struct AccessQuery: Hashable, Sendable {
    package var who: AccessorName?
    package var recipient: RecipientID?
    /// Inclusive.
    package var from: Timestamp?
    /// Exclusive.
    package var to: Timestamp?
    /// The last access that the caller has; older ones follow.
    package var before: AccessID?

    package init(
        who: AccessorName? = nil, recipient: RecipientID? = nil, from: Timestamp? = nil, to: Timestamp? = nil,
        before: AccessID? = nil
    ) {
        self.who = who
        self.recipient = recipient
        self.from = from
        self.to = to
        self.before = before
    }
}
