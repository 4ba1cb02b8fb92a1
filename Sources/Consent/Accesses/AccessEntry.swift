package import Identifiers

/// One look at what is held about a recipient, as it was recorded.
package struct AccessEntry: Hashable, Sendable {
    /// Carries when it was recorded.
    package let id: AccessID
    package let who: AccessorName
    package let what: AccessedRecords
    /// `nil` for somebody of whom nothing was held or who was erased, before or since, and once accesses are no longer
    /// kept.
    package let recipient: RecipientID?
    /// `nil` once it is no longer kept: it goes with the recipient, and is not kept where nothing was held of them.
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

/// A look that is about to be recorded.
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

/// What of a recipient was looked at.
package enum AccessedRecords: String, Hashable, Sendable, CaseIterable {
    /// Consent records.
    case consents
    case consentRequests
    case decisions
    case interactions
    /// Everything, for the recipient's own request for access, or as evidence.
    case export
    /// Who looked at them before.
    case accesses
    /// All of it in the order of time, as the console shows it.
    case timeline
}

/// Which accesses are asked for; `nil` is any.
package struct AccessQuery: Hashable, Sendable {
    package var who: AccessorName?
    package var recipient: RecipientID?
    /// Included.
    package var from: Timestamp?
    /// Not included.
    package var to: Timestamp?
    /// The last one that the caller has; older ones follow.
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
