import Interactions
import JSON

/// Interactions that an app reports to `POST /bird/v1/orgs/{org}/interactions`. Bird's own interface is not public;
/// this one is ours.
package enum BirdInteraction {
    private static let members = ["type", "trackingId", "action"]

    package static func read(body: Span<UInt8>) throws(DeviceReportError) -> DeviceReport {
        let body = try EventBody(body, members)
        let type = try type(body["type"])
        let text = try body.trackingID("trackingId")
        guard let trackingID = SealedTrackingID(text.utf8Span.span) else { throw .trackingIDMalformed }
        let action = try action(body["action"])
        switch type {
        // A received notification has no pressed button, even if the app names an action.
        case .received: return DeviceReport(.pushNotificationReceived, from: .bird, trackingID)
        case .tap: return DeviceReport(.pushNotificationClicked, from: .bird, trackingID, action: action)
        case .button:
            guard let action else { throw .actionMissing }
            return DeviceReport(.pushNotificationClicked, from: .bird, trackingID, action: action)
        }
    }

    private enum InteractionType: String {
        case received = "Received"
        case tap = "Tap"
        case button = "Button"
    }

    private static func type(_ value: JSONValue?) throws(DeviceReportError) -> InteractionType {
        guard let value else { throw .typeMissing }
        guard case .string(let text) = value, let type = InteractionType(rawValue: text) else { throw .typeUnknown }
        return type
    }

    /// The identifier of the pressed button, under the rules for a message's own actions.
    private static func action(_ value: JSONValue?) throws(DeviceReportError) -> ActionIdentifier? {
        guard let value else { return nil }
        guard case .object(let object) = value else { throw .actionMalformed }
        guard let identifier = object["identifier"], identifier != .null else { return nil }
        guard
            let text = try? JSONShape.text(length: 1...ActionIdentifier.maximumLength, allowing: .oneLine)
                .read(identifier),
            let action = ActionIdentifier(text)
        else { throw .actionMalformed }
        return action
    }
}
