package import Formats
package import Identifiers
package import TrackingIDs

/// The result of composing for some recipients: their stored decisions, and everything that rendering their payloads
/// needs.
package struct ComposedPayloads: Sendable {
    package let message: MessageID
    package let compiled: CompiledMessage
    package let recipients: [RecipientID]
    /// The decisions about each of the recipients.
    package let decisions: DecisionsOfMessage
    package let expiry: LinkExpiry
    package let keyRing: KeyRing
}
