package import Formats
package import Identifiers
package import TrackingIDs

/// What was composed for some recipients: their stored decisions, and what it takes to render their payloads.
package struct ComposedPayloads: Sendable {
    package let message: MessageID
    package let compiled: CompiledMessage
    package let recipients: [RecipientID]
    /// Those about each of the recipients.
    package let decisions: DecisionsOfMessage
    package let expiry: LinkExpiry
    package let keyRing: KeyRing
}
