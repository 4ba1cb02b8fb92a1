package import Identifiers
package import Interactions
package import TrackingIDs

/// A device's report about a message: the recipient is sealed, and nothing else of the request is kept.
///
/// A holder of the keys must check it: the tracking ID must open, must be of a message and not of a link, and of the
/// organization that was posted to; ``claimedMessage`` must be the message that it opens to.
package struct DeviceReport: Hashable, Sendable {
    package let kind: InteractionKind
    package let source: InteractionSource
    package let trackingID: SealedTrackingID
    /// The message that the device names beside the tracking ID, if its system requires that.
    package let claimedMessage: MessageID?
    /// The button that was pressed, if the device states it.
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

/// The result of reading a device's request.
package enum DeviceReading: Hashable, Sendable {
    case report(DeviceReport)
    /// A valid event of a recipient who is not tracked: the device gets a success, and nothing is recorded.
    case nothing
}
