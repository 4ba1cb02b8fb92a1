import Consent
import Formats
import Identifiers
import JSON
import TrackingIDs

/// What was composed for some recipients: their decisions, which are stored, and what it takes to render their payloads.
struct ComposedPayloads: Sendable {
    let message: MessageID
    let compiled: CompiledMessage
    let recipients: [RecipientID]
    /// One for each of the recipients.
    let decisions: [RecordedDecision]
    /// Why those who were tracked are so no more, by their places; for a repeated request.
    var ended: [Int: DecisionReason] = [:]
    let expiry: LinkExpiry
    let keyRing: KeyRing
}

/// Renders composed payloads one after the other, on one thread.
struct PayloadRenderer {
    private let composed: ComposedPayloads
    private let sealer: TrackingIDSealer
    /// Kept, so that it need not be made anew for each.
    private var payload: [UInt8] = []

    init(_ composed: ComposedPayloads) throws {
        self.composed = composed
        sealer = try TrackingIDSealer(keyRing: composed.keyRing)
    }

    /// Writes the entry of the recipient at `place`.
    mutating func write(_ place: Int, to writer: inout JSONWriter) {
        let decision = composed.decisions[place]
        payload.removeAll(keepingCapacity: true)
        composed.compiled.render(
            decision, of: composed.message, expiry: composed.expiry, sealer: sealer, into: &payload)
        writer.entry(composed.recipients[place], decision, ended: composed.ended[place], payload)
    }
}

extension JSONWriter {
    fileprivate mutating func entry(
        _ recipient: RecipientID, _ decision: RecordedDecision, ended: DecisionReason?, _ payload: [UInt8]
    ) {
        object { writer in
            writer.member("recipient", recipient.text)
            writer.member("tracked", decision.permit != .untracked)
            writer.decision(decision)
            if let ended { writer.member("ended", ended.rawValue) }
            writer.key("payload")
            writer.raw(payload)
        }
    }
}
