package import Identifiers

/// A question that an organization put to one recipient: one notice, 1–4 purposes, one link.
package struct ConsentRequest: Hashable, Sendable {
    /// For how many days its links can be answered.
    package static let lifetimeInDays = 30
    package static let purposeCount = 1...4
    /// After so many records of a purpose, no more grants are recorded: a program that has the link could fill the
    /// disk.
    package static let maximumRecordCount = 50

    /// The state of a request as a whole: the first of these that applies.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// The recipient was erased; their answers are no longer known.
        case erased
        /// At least one yes waits for the second link.
        case awaitingConfirmation
        /// At least one purpose can be answered and was not answered.
        case open
        case answered
        /// A newer request, or an answer from elsewhere, has replaced it.
        case superseded
        /// Its links ended without an answer.
        case expired
    }

    package let id: ConsentRequestID
    package let organization: OrganizationID
    /// The recipient in the spelling that was first given; `nil` after an erasure.
    package let recipient: RecipientID?
    package let notice: ConsentNotice?
    package let needsConfirmation: Bool
    package let madeAt: Timestamp
    package let expiresAt: Timestamp
    /// In the order of the request.
    package let purposes: [AskedPurpose]
    /// Its position among the requests that wait for a confirmation; it grows in the order of the commits. `nil` if the
    /// request does not wait for one.
    package let confirmationPosition: TimeOrderedNumber?

    package init(
        id: ConsentRequestID, organization: OrganizationID, recipient: RecipientID?, notice: ConsentNotice?,
        needsConfirmation: Bool, madeAt: Timestamp, expiresAt: Timestamp, purposes: [AskedPurpose],
        confirmationPosition: TimeOrderedNumber? = nil
    ) {
        self.id = id
        self.organization = organization
        self.recipient = recipient
        self.notice = notice
        self.needsConfirmation = needsConfirmation
        self.madeAt = madeAt
        self.expiresAt = expiresAt
        self.purposes = purposes
        self.confirmationPosition = confirmationPosition
    }

    package func hasExpired(at now: Timestamp) -> Bool { now >= expiresAt }

    package func state(at now: Timestamp) -> State {
        if recipient == nil { return .erased }
        if !hasExpired(at: now) {
            if purposes.contains(where: \.awaitsConfirmation) { return .awaitingConfirmation }
            if purposes.contains(where: { $0.closing == nil && $0.lastAnswer == nil }) { return .open }
        }
        if purposes.contains(where: { $0.record != nil }) { return .answered }
        return purposes.contains { $0.closing != nil } ? .superseded : .expired
    }
}
