package import Identifiers

/// The content of a tracking ID, for a holder of the key: this link of this message, sent to this recipient.
///
/// Its sealed form is specified in `docs/formats/tracking-id.md`.
package struct TrackingID: Hashable, Sendable {
    package let message: MessageID
    package let recipient: RecipientReference
    /// ``LinkIndex/message`` for the message itself.
    package let link: LinkIndex
    package let expiry: LinkExpiry

    package init(message: MessageID, recipient: RecipientReference, link: LinkIndex, expiry: LinkExpiry) {
        self.message = message
        self.recipient = recipient
        self.link = link
        self.expiry = expiry
    }
}
