package import Consent
package import Formats
package import Identifiers
package import TrackingIDs

/// What was composed for some recipients: their stored decisions, and what it takes to render their payloads.
package struct ComposedPayloads: Sendable {
    package let message: MessageID
    package let compiled: CompiledMessage
    package let recipients: [RecipientID]
    /// One for each of the recipients.
    package let decisions: [RecordedDecision]
    /// Why recipients who were tracked are no longer, by their index; for a repeated request.
    package var ended: [Int: DecisionReason] = [:]
    package let expiry: LinkExpiry
    package let keyRing: KeyRing
}
