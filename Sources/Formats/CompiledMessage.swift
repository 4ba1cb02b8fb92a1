package import Consent
package import Identifiers
package import JSON
package import Messages
package import TrackingIDs

/// A message compiled for a format once, for any number of recipients.
///
/// The untracked rendering has the same bytes for all its recipients. Tracked renderings of the same activities differ
/// only in the recipients' tracking IDs, which have the same length.
package struct CompiledMessage: Sendable {
    /// For both activities, and for each of them if the message asks for them separately.
    private let tracked: [TrackedActivities: Template]
    private let untracked: [UInt8]
    /// Members of the message that the format has no place for.
    package let unsupportedMembers: [String]
    /// The lengths of the shortest and the longest of the renderings, in bytes.
    package let lengths: ClosedRange<Int>

    /// - Parameters:
    ///   - origin: the beginning of tracked links.
    ///   - organization: the organization of the message, for the address of the page that replaces a placeholder.
    ///   - pointer: the place of the message in the request, for the problems.
    /// - Throws: if the carrier would refuse the payload.
    package init(
        _ message: Message, format: PayloadFormat, origin: PublicOrigin, organization: OrganizationID,
        at pointer: JSONPointer
    ) throws(BodyProblems) {
        let layout = format.layout
        let pages = PreferencesPages(origin: origin, organization: organization)
        try layout.check(message, at: pointer)
        var tracked: [TrackedActivities: Template] = [:]
        for activities in message.purposes.shared == nil ? TrackedActivities.allCases : [.both] {
            tracked[activities] = try layout.compile(message, .tracked(origin, activities), pages, at: pointer)
        }
        self.tracked = tracked
        var bytes: [UInt8] = []
        try layout.compile(message, .untracked, pages, at: pointer).render(into: &bytes) { _, _ in }
        untracked = bytes
        unsupportedMembers = message.membersInUse.filter { !layout.carried.contains($0) }.map(\.rawValue)
        let trackedLengths = tracked.values.map { $0.renderedLength(\.length) }
        lengths = trackedLengths.reduce(untracked.count, min)...trackedLengths.reduce(untracked.count, max)
        if let limit = layout.maximumLength, lengths.upperBound > limit {
            throw BodyProblems(
                pointer, "makes a payload of \(lengths.upperBound) bytes; the carrier takes \(limit)")
        }
    }

    /// Appends the payload that stored decisions permit.
    ///
    /// - Parameters:
    ///   - message: the id under which the message is stored.
    ///   - expiry: the expiry of the message's links, the same for all recipients.
    package func render(
        _ decisions: RecipientDecisions, of message: MessageID, expiry: LinkExpiry, sealer: TrackingIDSealer,
        into output: inout [UInt8]
    ) {
        switch decisions.permit {
        case .untracked: output.append(contentsOf: untracked)
        case .tracked(let recipient, let activities):
            // A message asks for both activities together or separately, and never changes: so these are the possible
            // decisions.
            guard let tracked = tracked[activities] else { return output.append(contentsOf: untracked) }
            let ids = TrackingIDWriter(message: message, recipient: recipient, expiry: expiry, sealer: sealer)
            tracked.render(into: &output, fill: ids.fill)
        }
    }

    /// Appends what a recipient with these decisions would get: no decision is stored, and no link leads anywhere.
    ///
    /// - Parameter message: the id under which the message is stored, if it is.
    package func preview(
        _ reasons: PerActivity<DecisionReason>, of message: MessageID?, into output: inout [UInt8]
    ) {
        guard let tracked = reasons.tracked.flatMap({ tracked[$0] }) else {
            return output.append(contentsOf: untracked)
        }
        tracked.render(into: &output) { PreviewPlaceholder.fill($0, of: message, &$1) }
    }
}

extension Template.Blank {
    /// The number of bytes in a payload.
    var length: Int {
        switch self {
        case .trackingID: TrackingIDFormat.characterCount
        case .hexadecimalTrackingID: 2 * TrackingIDFormat.byteCount
        // An id grows with time: every one that carries a time after 1987 has 16 hexadecimal digits.
        case .messageID: 16
        }
    }
}
