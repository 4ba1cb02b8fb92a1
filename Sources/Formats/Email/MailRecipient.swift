package import Consent
import Identifiers
package import Messages
package import TrackingIDs

/// What the payload states about a mail's recipient besides the bodies, as stored decisions permit it.
package struct MailRecipient: Sendable {
    /// The tracking ID of the message; for untracked recipients a zero that is the same for all.
    package let trackingID: String
    /// The page on which they see what is recorded about them; for untracked recipients the common page.
    package let preferencesURL: String

    /// - Parameters:
    ///   - message: the stored message that the mail's links belong to.
    ///   - origin: the beginning of the service's addresses.
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
