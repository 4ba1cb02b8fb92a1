package import Consent
package import Identifiers
package import JSON
package import Messages
package import TrackingIDs

/// A message put into a format once, for any number of recipients.
///
/// The untracked rendering is the same sequence of bytes for all its recipients. The tracked one differs between
/// recipients in nothing but its tracking IDs, which are equally long.
package struct CompiledMessage: Sendable {
    private let tracked: Template
    private let untracked: [UInt8]
    /// Members of the message that the format has no place for.
    package let unsupportedMembers: [String]
    /// The lengths of the two renderings in bytes, the shorter one first.
    package let lengths: ClosedRange<Int>

    /// - Parameters:
    ///   - origin: what tracked links begin with.
    ///   - pointer: where the message stands in the request, for the problems.
    /// - Throws: when the carrier would not take the payload.
    package init(
        _ message: Message, format: PayloadFormat, origin: PublicOrigin, at pointer: JSONPointer
    ) throws(BodyProblems) {
        let layout = format.layout
        try layout.check(message, at: pointer)
        tracked = try layout.compile(message, .tracked(origin), at: pointer)
        var bytes: [UInt8] = []
        try layout.compile(message, .untracked, at: pointer).render(into: &bytes) { _, _ in }
        untracked = bytes
        unsupportedMembers = message.membersInUse.filter { !layout.carried.contains($0) }.map(\.rawValue)
        let trackedLength = tracked.renderedLength(\.length)
        lengths = min(trackedLength, untracked.count)...max(trackedLength, untracked.count)
        if let limit = layout.maximumLength, lengths.upperBound > limit {
            throw BodyProblems(
                pointer, "makes a payload of \(lengths.upperBound) bytes; the carrier takes \(limit)")
        }
    }

    /// Appends the payload that a stored decision permits.
    ///
    /// - Parameters:
    ///   - message: the id under which the message is stored.
    ///   - expiry: the expiry of the message's links, the same for all recipients.
    package func render(
        _ decision: RecordedDecision, of message: MessageID, expiry: LinkExpiry, sealer: TrackingIDSealer,
        into output: inout [UInt8]
    ) {
        switch decision.permit {
        case .untracked: output.append(contentsOf: untracked)
        case .tracked(let recipient):
            let ids = TrackingIDWriter(message: message, recipient: recipient, expiry: expiry, sealer: sealer)
            tracked.render(into: &output, fill: ids.fill)
        }
    }

    /// Appends what a recipient would get of whom this is decided: no decision, and nothing that leads anywhere.
    ///
    /// - Parameter message: the id under which the message is stored, if it is.
    package func preview(_ outcome: DecisionOutcome, of message: MessageID?, into output: inout [UInt8]) {
        switch outcome {
        case .untracked: output.append(contentsOf: untracked)
        case .tracked: tracked.render(into: &output) { PreviewPlaceholder.fill($0, of: message, &$1) }
        }
    }
}

extension Template.Blank {
    /// Bytes that it takes in a payload.
    var length: Int {
        switch self {
        case .trackingID: TrackingIDFormat.characterCount
        case .hexadecimalTrackingID: 2 * TrackingIDFormat.byteCount
        // An id is time-ordered: every one made since 1987 has all 16 digits.
        case .messageID: 16
        }
    }
}
