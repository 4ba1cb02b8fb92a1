package import Consent
package import Identifiers
package import Messages
package import TrackingIDs

extension MessageBody {
    /// The body as a stored decision permits it: with links through the redirect under `origin`, or as it came in.
    ///
    /// - Parameters:
    ///   - message: the stored message that its links belong to.
    ///   - expiry: the expiry of the message's links, the same for everybody.
    ///   - index: under which index a link is; `nil` for one that stays as it is.
    package func render(
        _ decision: RecordedDecision, of message: StoredMessage, origin: PublicOrigin, expiry: LinkExpiry,
        sealer: TrackingIDSealer, index: (BodyLink) -> LinkIndex?
    ) -> [UInt8] {
        var output: [UInt8] = []
        switch decision.permit {
        case .untracked:
            let template = untracked
            output.reserveCapacity(template.renderedLength(\.length))
            template.render(into: &output) { _, _ in }
        case .tracked(let recipient):
            let ids = TrackingIDWriter(message: message.id, recipient: recipient, expiry: expiry, sealer: sealer)
            let template = tracked(origin: origin, hasPixel: message.content.openTracking, index: index)
            output.reserveCapacity(template.renderedLength(\.length))
            template.render(into: &output, fill: ids.fill)
        }
        return output
    }
}
