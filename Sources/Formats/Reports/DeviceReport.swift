package import Identifiers
package import Interactions
package import TrackingIDs

/// What a device says happened to a message: who it speaks of is sealed, and nothing else of its request is kept.
///
/// Whether it is true, the holder of the keys finds out: the tracking ID must open, be of a message and not of a link,
/// and of the organization that was posted to; ``claimedMessage`` must be the message it opens to.
package struct DeviceReport: Hashable, Sendable {
    package let kind: InteractionKind
    package let source: InteractionSource
    package let trackingID: SealedTrackingID
    /// The message that the device names beside the tracking ID, where its system has it do so.
    package let claimedMessage: MessageID?
    /// The button pressed, where the device says.
    package let action: ActionIdentifier?

    init(
        _ kind: InteractionKind, from source: InteractionSource, _ trackingID: SealedTrackingID,
        claimedMessage: MessageID? = nil, action: ActionIdentifier? = nil
    ) {
        self.kind = kind
        self.source = source
        self.trackingID = trackingID
        self.claimedMessage = claimedMessage
        self.action = action
    }

    /// Whether its tracking ID may open to `id`: the ID of a message, and of the one that the device names.
    package func speaks(of id: TrackingID) -> Bool {
        id.link == .message && claimedMessage.map { $0 == id.message } ?? true
    }
}

/// What became of reading a device's request.
package enum DeviceReading: Hashable, Sendable {
    case report(DeviceReport)
    /// A well-formed event of a recipient who is not tracked: a success for the device, and nothing to record.
    case nothing
}
