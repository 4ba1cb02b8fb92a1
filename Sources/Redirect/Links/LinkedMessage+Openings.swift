package import Identifiers
package import Interactions
package import TrackingIDs

/// Openings of a mail, which are told by a request for its picture.
extension LinkedMessage {
    /// Whether a request for the picture is recorded as an opening.
    ///
    /// - Parameters:
    ///   - id: the tracking ID of the message, in the address of the picture.
    ///   - isHead: whether the request asks for the header alone.
    package func recordsOpening(
        of id: TrackingID, isHead: Bool = false, signals: RequestSignals, at now: Timestamp
    ) -> Bool {
        // Push payloads also contain a tracking ID of the message, and have no picture.
        guard tracksOpens else { return false }
        let policy = recordingPolicy(
            for: id.recipient, of: .opens, expires: id.expiry.timestamp, mayObject: signals.hasGlobalPrivacyControl,
            at: now)
        return policy.verdict(isHead: isHead, signals: signals, at: now) == .record
    }
}

extension Occurrence {
    /// The opening that a request for a mail's picture tells.
    package static func opening(of id: TrackingID, signals: RequestSignals, at now: Timestamp) -> Occurrence {
        Occurrence(
            kind: .messageOpened, source: .redirect, occurredAt: now, message: id.message, recipient: id.recipient,
            link: .message, visitor: signals.agent.opening)
    }
}
