package import Identifiers

/// Answers whether consent is in force. May be called at once from anywhere.
package protocol ConsentLookup: Sendable {
    /// Where each of `recipients` stands at `instant`, in the order given.
    func statuses(
        of recipients: [RecipientID], for purpose: Purpose, in organization: OrganizationID, at instant: Timestamp
    ) async throws -> ConsentStatuses

    /// The status of the recipients behind references at the times asked about, in the order given. A reference that is
    /// not known (any more) is ``ConsentStatus/erased``.
    func statuses(of questions: [ReferenceQuestion]) async throws -> [ConsentStatus]
}

/// Answers to one question about many recipients.
package struct ConsentStatuses: Sendable {
    package let statuses: [ConsentStatus]
    /// A decision that rests on the answer names it, so that a log can tell whether the answer still holds.
    package let basis: SnapshotBasis

    package init(statuses: [ConsentStatus], basis: SnapshotBasis) {
        self.statuses = statuses
        self.basis = basis
    }
}

/// What a store had recorded when it answered.
package struct SnapshotBasis: Hashable, Sendable {
    /// How often recipients of the organization had been erased.
    package let erasures: ErasureCount
    /// The last consent record of all that was recorded up to the moment asked about; `nil` when there was none. A record
    /// of a later moment is not in it, even one that is stored by then: the answers do not rest on it.
    package let lastRecord: ConsentRecordID?
    /// The earliest moment at which a consent among the answers ends by itself.
    package let holdsUntil: Timestamp

    package init(erasures: ErasureCount, lastRecord: ConsentRecordID?, holdsUntil: Timestamp) {
        self.erasures = erasures
        self.lastRecord = lastRecord
        self.holdsUntil = holdsUntil
    }
}
