import Consent
import Formats
import Identifiers
import JSON
import TrackingIDs
import UseCases

/// Payloads for some recipients, which are rendered one after the other.
protocol PayloadBatch: Sendable {
    associatedtype Renderer: PayloadRendering

    /// The id of their message; `nil` if it is not stored.
    var messageIfStored: MessageID? { get }
    var compiled: CompiledMessage { get }
    var recipients: [RecipientID] { get }
    func makeRenderer() throws -> Renderer
}

/// Renders payloads one after the other, on one thread.
protocol PayloadRendering {
    /// Writes the entry of the recipient at `index`.
    mutating func write(_ index: Int, to writer: inout JSONWriter)
}

extension ComposedPayloads: PayloadBatch {
    var messageIfStored: MessageID? { message }
    func makeRenderer() throws -> PayloadRenderer { try PayloadRenderer(self) }
}

extension PreviewedPayloads: PayloadBatch {
    var messageIfStored: MessageID? { message }
    func makeRenderer() -> PreviewRenderer { PreviewRenderer(self) }
}

struct PayloadRenderer: PayloadRendering {
    private let composed: ComposedPayloads
    private let sealer: TrackingIDSealer

    init(_ composed: ComposedPayloads) throws {
        self.composed = composed
        sealer = try TrackingIDSealer(keyRing: composed.keyRing)
    }

    mutating func write(_ index: Int, to writer: inout JSONWriter) {
        let decisions = composed.decisions[index]
        let ended = composed.decisions.ended(at: index)
        writer.entry(composed.recipients[index], isTracked: decisions.permit != .untracked) { writer in
            writer.decisions(decisions, ended: ended)
        } payload: { bytes in
            composed.compiled.render(
                decisions, of: composed.message, expiry: composed.expiry, sealer: sealer, into: &bytes)
        }
    }
}

struct PreviewRenderer: PayloadRendering {
    private let preview: PreviewedPayloads

    init(_ preview: PreviewedPayloads) { self.preview = preview }

    mutating func write(_ index: Int, to writer: inout JSONWriter) {
        let reasons = preview.reasons[index]
        writer.entry(preview.recipients[index], isTracked: reasons.tracked != nil) { writer in
            writer.decisions(wouldBe: reasons)
        } payload: { bytes in
            preview.compiled.preview(reasons, of: preview.message, into: &bytes)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func entry(
        _ recipient: RecipientID, isTracked: Bool, decisions: (inout JSONWriter) -> Void,
        payload: (inout [UInt8]) -> Void
    ) {
        object { writer in
            writer.member("recipient", recipient.text)
            writer.member("tracked", isTracked)
            decisions(&writer)
            writer.key("payload")
            writer.raw(payload)
        }
    }
}
