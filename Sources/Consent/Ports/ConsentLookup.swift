package import Identifiers

/// Reads which consent is in force. All calls may be concurrent.
package protocol ConsentLookup: Sendable {
    /// The status of each of `recipients` at `instant` for each of `purposes`, in one snapshot: in the order of the
    /// recipients, and for each recipient in the order of the purposes.
    /// - Parameter purposes: at least one, without duplicates.
    func statuses(
        of recipients: [RecipientID], for purposes: [Purpose], in organization: OrganizationID, at instant: Timestamp
    ) async throws -> ConsentStatuses

    /// The statuses as ``statuses(of:for:in:at:)`` returns them, for a caller that stores no decisions about the
    /// recipients: a store that keeps look-ups for the decisions that follow keeps none for these.
    func statusesForPreview(
        of recipients: [RecipientID], for purposes: [Purpose], in organization: OrganizationID, at instant: Timestamp
    ) async throws -> ConsentStatuses

    /// The status of the recipient of each question at its time, in the order given. A reference that is unknown (or
    /// was erased) is ``ConsentStatus/erased``.
    func statuses(of questions: [ReferenceQuestion]) async throws -> [ConsentStatus]

    /// The newest consent record of all organizations; `nil` if there is none. Later reads of statuses take this record
    /// and all before it into account.
    func newestRecord() async throws -> ConsentRecordID?
}

/// The statuses of many recipients, from one read.
package struct ConsentStatuses: Sendable {
    package let statuses: [ConsentStatus]
    /// The organization's enforcement in the same snapshot, by which decisions from the statuses must be made.
    package let enforcement: Enforcement
    /// A decision that rests on the statuses names it, so that a log can tell whether they are still valid.
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
    /// The last consent record of all that was recorded up to the requested time; `nil` if there was none. Records of
    /// later times are excluded, even if they are stored already, because the answers do not rest on them.
    package let lastRecord: ConsentRecordID?
    /// The earliest time at which a consent among the answers ends by itself.
    package let holdsUntil: Timestamp

    package init(epoch: OrganizationEpoch, lastRecord: ConsentRecordID?, holdsUntil: Timestamp) {
        self.epoch = epoch
        self.lastRecord = lastRecord
        self.holdsUntil = holdsUntil
    }
}

/// Counts the events that make every earlier answer about an organization's recipients invalid: its erasures and the
/// changes of its enforcement. It grows in the transaction of each event, and never shrinks. Only equality has a
/// meaning.
package struct OrganizationEpoch: Hashable, Sendable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}
