/// Why a device's request is no report. Its description names what is wrong and repeats nothing of the request.
package enum DeviceReportError: Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case bodyNotJSON
    case bodyNotObject
    case duplicateMember
    case trackingIDMissing
    case trackingIDMalformed
    /// Dynamics 365.
    case statusMissing
    case statusUnknown
    /// Bird.
    case typeMissing
    case typeUnknown
    case actionMalformed
    case actionMissing
    /// Adobe Campaign.
    case hitMissing
    case hitRepeated
    case broadlogMalformed
    case deliveryMalformed
    case hitActionUnknown

    package var description: String {
        switch self {
        case .bodyNotJSON: "the body must be JSON in UTF-8"
        case .bodyNotObject: "the body must be a JSON object"
        case .duplicateMember: "the body must not have two members of one name"
        case .trackingIDMissing: "the tracking ID is missing or empty"
        case .trackingIDMalformed: "the tracking ID is not one"
        case .statusMissing: "PushNotificationStatus is required"
        case .statusUnknown: "PushNotificationStatus must be 0 or \"Clicked\", 1 or \"Opened\""
        case .typeMissing: "type is required"
        case .typeUnknown: "type must be \"Received\", \"Tap\" or \"Button\""
        case .actionMalformed:
            "action must be an object whose identifier is 1 to 255 bytes of UTF-8 without control characters"
        case .actionMissing: "action.identifier is required when a button was pressed"
        case .hitMissing: "the parameter id is missing"
        case .hitRepeated: "the parameter id must be there once"
        case .broadlogMalformed: "id must begin with the payload's _mId"
        case .deliveryMalformed: "id must have the payload's _dId in second place"
        case .hitActionUnknown: "id must end in an action of 1, 2 or 7"
        }
    }
}
