import Interactions
import JSON

/// Events that apps of Dynamics 365 post, in the two versions of its interface.
///
/// An event is checked in the same way for every recipient: an invalid body is refused even with the zero GUID. The
/// device token in it is ignored.
package enum Dynamics365Event {
    private static let status = "PushNotificationStatus"
    private static let trackingID = "TrackingId"
    private static let members = [status]
    private static let membersWithTrackingID = [trackingID, status]

    /// Version 1, `POST …/pushchannel/event/trackings/{trackingId}`.
    ///
    /// - Parameter trackingID: the last segment of the path as it was sent, with its percent-encoding.
    package static func read(
        trackingID: Span<UInt8>, body: Span<UInt8>
    ) throws(DeviceReportError) -> DeviceReading {
        guard !trackingID.isEmpty else { throw .trackingIDMissing }
        return try reading(trackingID, EventBody(body, members))
    }

    /// Version 2, `POST …/pushdatareceiver/events`: the tracking ID is in the body.
    package static func read(body: Span<UInt8>) throws(DeviceReportError) -> DeviceReading {
        let body = try EventBody(body, membersWithTrackingID)
        let text = try body.trackingID(trackingID)
        return try reading(text.utf8Span.span, body)
    }

    private static func reading(_ text: Span<UInt8>, _ body: EventBody) throws(DeviceReportError) -> DeviceReading {
        let kind = try kind(body[status])
        guard !UntrackedID.isZero(text) else { return .nothing }
        guard let trackingID = SealedTrackingID(text) else { throw .trackingIDMalformed }
        return .report(DeviceReport(kind, from: .dynamics365, trackingID))
    }

    /// The samples send the number, the number as a string, or the name.
    private static func kind(_ status: JSONValue?) throws(DeviceReportError) -> InteractionKind {
        let text: String
        switch status {
        case nil: throw .statusMissing
        case .number(let number)?: text = number.text
        case .string(let string)?: text = string
        case _?: throw .statusUnknown
        }
        switch text {
        case "0", "Clicked": return .pushNotificationClicked
        case "1", "Opened": return .pushNotificationOpened
        default: throw .statusUnknown
        }
    }
}
