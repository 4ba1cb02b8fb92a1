package import Identifiers

/// Answers whether consent is in force. May be called at once from anywhere.
package protocol ConsentLookup: Sendable {
    /// Where each of `recipients` stands at `instant` for each of `purposes`, all in one snapshot: in the order of the
    /// recipients, and for each of them in the order of the purposes.
    /// - Parameter purposes: at least one, and none of them twice.
    func statuses(
        of recipients: [RecipientID], for purposes: [Purpose], in organization: OrganizationID, at instant: Timestamp
    ) async throws -> ConsentStatuses

    /// The same, for a caller that stores no decisions about the recipients. A store that keeps something at hand for
    /// the decisions that follow ``statuses(of:for:in:at:)`` keeps nothing for these.
    func statusesUndecided(
        of recipients: [RecipientID], for purposes: [Purpose], in organization: OrganizationID, at instant: Timestamp
    ) async throws -> ConsentStatuses

    /// The status of the recipients behind references at the times asked about, in the order given. A reference that is
    /// not known (any more) is ``ConsentStatus/erased``.
    func statuses(of questions: [ReferenceQuestion]) async throws -> [ConsentStatus]

    /// The newest consent record of all; `nil` where there is none. Statuses that are asked for later know it and all
    /// before it.
    func newestRecord() async throws -> ConsentRecordID?
}

extension ConsentLookup {
    /// Where each of `recipients` stands at `instant` for one purpose, in the order given.
    package func statuses(
        of recipients: [RecipientID], for purpose: Purpose, in organization: OrganizationID, at instant: Timestamp
    ) async throws -> ConsentStatuses {
        try await statuses(of: recipients, for: [purpose], in: organization, at: instant)
    }

    package func statusesUndecided(
        of recipients: [RecipientID], for purposes: [Purpose], in organization: OrganizationID, at instant: Timestamp
    ) async throws -> ConsentStatuses {
        try await statuses(of: recipients, for: purposes, in: organization, at: instant)
    }
}

/// Answers to one question about many recipients.
package struct ConsentStatuses: Sendable {
    package let statuses: [ConsentStatus]
    /// The organization's enforcement in the same snapshot: what is decided from the statuses is decided by it.
    package let enforcement: Enforcement
    /// A decision that rests on the answer names it, so that a log can tell whether the answer still holds.
    package let basis: SnapshotBasis

    package init(statuses: [ConsentStatus], enforcement: Enforcement, basis: SnapshotBasis) {
        self.statuses = statuses
        self.enforcement = enforcement
        self.basis = basis
    }
}

/// What a store had recorded when it answered.
package struct SnapshotBasis: Hashable, Sendable {
    package let epoch: OrganizationEpoch
    /// The last consent record of all that was recorded up to the moment asked about; `nil` when there was none. A record
    /// of a later moment is not in it, even one that is stored by then: the answers do not rest on it.
    package let lastRecord: ConsentRecordID?
    /// The earliest moment at which a consent among the answers ends by itself.
    package let holdsUntil: Timestamp

    package init(epoch: OrganizationEpoch, lastRecord: ConsentRecordID?, holdsUntil: Timestamp) {
        self.epoch = epoch
        self.lastRecord = lastRecord
        self.holdsUntil = holdsUntil
    }
}

/// Counts what makes every earlier answer about an organization's recipients unusable: its erasures and the changes of
/// its enforcement. It grows in the transaction of each of them, and never shrinks. Only equality means something.
package struct OrganizationEpoch: Hashable, Sendable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}
