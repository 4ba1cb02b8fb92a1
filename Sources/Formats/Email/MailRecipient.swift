package import Consent
import Identifiers
package import Messages
package import TrackingIDs

/// What is said of a mail's recipient beside its bodies, as stored decisions permit it.
package struct MailRecipient: Sendable {
    /// Of the message; for those of whom nothing is tracked a zero that is the same for all.
    package let trackingID: String
    /// Where they see what is recorded about them; for those who are not tracked the page that is the same for all.
    package let preferencesURL: String

    /// - Parameters:
    ///   - message: the stored message that the mail's links belong to.
    ///   - origin: what the service's addresses begin with.
    ///   - expiry: the expiry of the message's links, the same for all recipients.
    package init(
        _ decisions: RecipientDecisions, of message: StoredMessage, origin: PublicOrigin, expiry: LinkExpiry,
        sealer: TrackingIDSealer
    ) {
        let pages = PreferencesPages(origin: origin, organization: message.organization)
        switch decisions.permit {
        case .untracked:
            trackingID = UntrackedID.zero
            preferencesURL = pages.common
        case .tracked(let recipient, _):
            let id = TrackingID(message: message.id, recipient: recipient, link: .message, expiry: expiry)
            trackingID = sealer.seal(id)
            preferencesURL = pages.ownPrefix + trackingID
        }
    }
}
