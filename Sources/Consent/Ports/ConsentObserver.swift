package import Identifiers

/// Is told who may be recorded, so that a click need not ask the store.
///
/// A store tells it of every change after the commit, in the order of the commits, and before the call that caused the
/// change returns: once a withdrawal is acknowledged, the very next click obeys it.
package protocol ConsentObserver: Sendable {
    /// What is in force now for the recipients and purposes that a write touched.
    func consentChanged(_ changes: [ConsentChange], in organization: OrganizationID)

    /// A recipient was erased: nothing is recorded about the reference any more, for any purpose.
    func recipientErased(_ reference: RecipientReference, in organization: OrganizationID)

    /// The organization's enforcement is `enforcement` from now on, and `ends`, by purpose, is all there is to know: a
    /// recipient who is not in it may be recorded without end.
    func recordingReloaded(
        _ ends: [Purpose: [RecordingEnd]], enforcement: Enforcement, in organization: OrganizationID)

    /// The storage went back to an earlier state, and all organizations are reloaded next. It may have lost withdrawals: who
    /// is known not to be recorded stays so.
    func historyReplaced()

    /// From now on the organization records nothing about a recipient whose browser objects (Global Privacy Control),
    /// or records it all the same.
    func privacyControlChanged(isHonored: Bool, in organization: OrganizationID)
}

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

/// From `end` on nothing is recorded about a reference. There may be millions of these: it takes 16 bytes.
package struct RecordingEnd: Hashable, Sendable {
    package let reference: RecipientReference
    package let end: Timestamp

    package init(reference: RecipientReference, end: Timestamp) {
        self.reference = reference
        self.end = end
    }
}
