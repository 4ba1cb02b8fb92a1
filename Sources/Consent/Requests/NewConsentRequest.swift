package import Identifiers

/// A consent request that is to be made.
package struct NewConsentRequest: Hashable, Sendable {
    package let recipient: RecipientID
    /// ``ConsentRequest/purposeCount`` of them, each once.
    package let purposes: [Purpose]
    package let notice: ConsentNotice
    /// Whether a yes counts only after it was confirmed with a second link.
    package let needsConfirmation: Bool

    package init(recipient: RecipientID, purposes: [Purpose], notice: ConsentNotice, needsConfirmation: Bool) {
        self.recipient = recipient
        self.purposes = purposes
        self.notice = notice
        self.needsConfirmation = needsConfirmation
    }
}

/// The result of asking.
package enum AskingOutcome: Hashable, Sendable {
    case made(ConsentRequest)
    case refused(AskingRefusal)
}

/// Why a recipient may not be asked.
package enum AskingRefusal: Hashable, Sendable {
    /// They said no, or did not answer, too short a time ago. They may be asked from `until` on.
    case tooSoon(until: Timestamp)
    /// They were erased, and have not consented again since.
    case erased
}
