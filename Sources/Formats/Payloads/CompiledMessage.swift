package import Consent
package import Identifiers
package import JSON
package import Messages
package import TrackingIDs

/// A message put into a format once, for any number of recipients.
///
/// The untracked rendering is one and the same sequence of bytes for everybody it goes to. The tracked one differs
/// between recipients in nothing but its tracking IDs, which are equally long.
package struct CompiledMessage: Sendable {
    private let tracked: Template
    private let untracked: [UInt8]
    /// Members of the message that the format has no place for.
    package let notCarried: [String]

    /// - Parameters:
    ///   - origin: what tracked links begin with.
    ///   - pointer: where the message stands in the request, for the problems.
    /// - Throws: when the carrier would not take the payload.
    package init(
        _ message: Message, format: PayloadFormat, origin: PublicOrigin, at pointer: JSONPointer
    ) throws(BodyProblems) {
        let layout = format.layout
        try layout.check(message, at: pointer)
        tracked = layout.compile(message, .tracked(origin))
        var bytes: [UInt8] = []
        layout.compile(message, .untracked).render(into: &bytes) { _, _ in }
        untracked = bytes
        notCarried = message.membersInUse.filter { !layout.carried.contains($0) }.map(\.rawValue)
        if let limit = layout.maximumLength {
            let length = tracked.renderedLength(trackingIDLength: TrackingIDFormat.characterCount)
            guard max(length, untracked.count) <= limit else {
                throw BodyProblems(
                    pointer, "makes a payload of \(max(length, untracked.count)) bytes; the carrier takes \(limit)")
            }
        }
    }

    /// Appends the payload that a stored decision permits.
    ///
    /// - Parameters:
    ///   - message: the id under which the message is stored.
    ///   - expiry: the expiry of the message's links, the same for everybody.
    package func render(
        _ decision: RecordedDecision, of message: MessageID, expiry: LinkExpiry, sealer: TrackingIDSealer,
        into output: inout [UInt8]
    ) {
        switch decision.permit {
        case .untracked: output.append(contentsOf: untracked)
        case .tracked(let recipient):
            tracked.render(into: &output) { link, output in
                let id = TrackingID(message: message, recipient: recipient, link: link, expiry: expiry)
                sealer.seal(id, appendingTo: &output)
            }
        }
    }
}
