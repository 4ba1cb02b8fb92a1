package import Identifiers

/// Learns which recipients may be recorded, so that a click need not ask the store.
///
/// A store informs it of every change after the commit, in the order of the commits, and before the call that caused
/// the change returns. So once a withdrawal is acknowledged, the next click obeys it.
package protocol ConsentObserver: Sendable {
    /// The present status of the recipients and purposes that a write touched.
    func consentChanged(_ changes: [ConsentChange], in organization: OrganizationID)

    /// A recipient was erased. From now on, nothing is recorded about the reference, for any purpose.
    func recipientErased(_ reference: RecipientReference, in organization: OrganizationID)

    /// The organization's enforcement is `enforcement` from now on, and `ends` is complete: a recipient who is not in it
    /// may be recorded without end.
    func recordingReloaded(
        _ ends: [RecordingScope: [RecordingEnd]], enforcement: Enforcement, in organization: OrganizationID)

    /// The storage was restored to an earlier state, and all organizations are reloaded next. It may have lost
    /// withdrawals, so recipients who must not be recorded stay on their lists.
    func historyReplaced()

    /// Whether, from now on, the organization records nothing about a recipient whose browser sends an objection
    /// (Global Privacy Control).
    func privacyControlChanged(isHonored: Bool, in organization: OrganizationID)
}

/// What must be recorded about a recipient from now on, for one purpose.
package struct ConsentChange: Hashable, Sendable {
    package let reference: RecipientReference
    package let purpose: Purpose
    package let status: ConsentStatus

    package init(reference: RecipientReference, purpose: Purpose, status: ConsentStatus) {
        self.reference = reference
        self.purpose = purpose
        self.status = status
    }
}

/// Nothing is recorded about a reference from `end` on. There may be millions of these; one takes 16 bytes.
package struct RecordingEnd: Hashable, Sendable {
    package let reference: RecipientReference
    package let end: Timestamp

    package init(reference: RecipientReference, end: Timestamp) {
        self.reference = reference
        self.end = end
    }
}
