import Consent
import Formats
import Identifiers
import JSON
import TrackingIDs
import UseCases

/// Renders composed payloads one after the other, on one thread.
struct PayloadRenderer {
    private let composed: ComposedPayloads
    private let sealer: TrackingIDSealer
    /// Kept, so that it need not be allocated again for each.
    private var payload: [UInt8] = []

    init(_ composed: ComposedPayloads) throws {
        self.composed = composed
        sealer = try TrackingIDSealer(keyRing: composed.keyRing)
    }

    /// Writes the entry of the recipient at `index`.
    mutating func write(_ index: Int, to writer: inout JSONWriter) {
        let decision = composed.decisions[index]
        payload.removeAll(keepingCapacity: true)
        composed.compiled.render(
            decision, of: composed.message, expiry: composed.expiry, sealer: sealer, into: &payload)
        writer.entry(composed.recipients[index], decision, ended: composed.ended[index], payload)
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
