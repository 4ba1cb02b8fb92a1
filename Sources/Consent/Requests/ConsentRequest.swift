package import Identifiers

/// A question that an organization put to one recipient: one notice, 1–4 purposes, one link.
package struct ConsentRequest: Hashable, Sendable {
    /// For how long its links may be answered.
    package static let lifetimeInDays = 30
    package static let purposeCount = 1...4
    /// After so many records of a purpose a yes is recorded no more: a program that has the link could fill the disk.
    package static let greatestRecordCount = 50

    /// How a request stands as a whole. The first that applies, in this order.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// The recipient was erased: nothing says any more how they answered.
        case erased
        /// At least one yes waits for the second link.
        case awaitingConfirmation
        /// At least one purpose can be answered and was not.
        case open
        case answered
        /// A newer request, or an answer from elsewhere, has taken its place.
        case superseded
        /// Its time passed without an answer.
        case expired
    }

    package let id: ConsentRequestID
    package let organization: OrganizationID
    /// As they were first named; `nil` once erased.
    package let recipient: RecipientID?
    package let notice: ConsentNotice?
    package let needsConfirmation: Bool
    package let madeAt: Timestamp
    package let expiresAt: Timestamp
    /// In the order asked for.
    package let purposes: [AskedPurpose]
    /// Its place among the requests that came to wait for a confirmation; it grows in the order of the commits. `nil`
    /// where none was waited for.
    package let confirmationPlace: TimeOrderedNumber?

    package init(
        id: ConsentRequestID, organization: OrganizationID, recipient: RecipientID?, notice: ConsentNotice?,
        needsConfirmation: Bool, madeAt: Timestamp, expiresAt: Timestamp, purposes: [AskedPurpose],
        confirmationPlace: TimeOrderedNumber? = nil
    ) {
        self.id = id
        self.organization = organization
        self.recipient = recipient
        self.notice = notice
        self.needsConfirmation = needsConfirmation
        self.madeAt = madeAt
        self.expiresAt = expiresAt
        self.purposes = purposes
        self.confirmationPlace = confirmationPlace
    }

    package func hasExpired(at now: Timestamp) -> Bool { now >= expiresAt }

    package func state(at now: Timestamp) -> State {
        if recipient == nil { return .erased }
        if !hasExpired(at: now) {
            if purposes.contains(where: \.awaitsConfirmation) { return .awaitingConfirmation }
            if purposes.contains(where: { $0.closing == nil && $0.pressed == nil }) { return .open }
        }
        if purposes.contains(where: { $0.record != nil }) { return .answered }
        return purposes.contains { $0.closing != nil } ? .superseded : .expired
    }
}
