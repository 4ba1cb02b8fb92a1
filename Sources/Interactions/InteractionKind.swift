package import Identifiers

/// The action of a recipient. The written names are those of Dynamics 365 if it has one.
package enum InteractionKind: String, Hashable, Sendable, CaseIterable {
    /// The recipient followed a tracked link. Only the redirect makes these.
    case pushLinkClicked = "PushLinkClicked"
    case pushNotificationClicked = "PushNotificationClicked"
    case pushNotificationOpened = "PushNotificationOpened"
    case pushNotificationReceived = "PushNotificationReceived"
    case messageOpened = "MessageOpened"

    /// The number under which it is stored. It never changes.
    package var code: UInt8 {
        switch self {
        case .pushLinkClicked: 1
        case .pushNotificationClicked: 2
        case .pushNotificationOpened: 3
        case .pushNotificationReceived: 4
        case .messageOpened: 5
        }
    }

    /// The activity that it reveals, which decides for which purpose of a message it needs consent.
    package var activity: TrackedActivity {
        switch self {
        case .pushLinkClicked, .pushNotificationClicked: .clicks
        case .pushNotificationOpened, .pushNotificationReceived, .messageOpened: .opens
        }
    }

    package init?(code: UInt8) {
        guard let kind = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = kind
    }
}

/// The source of the report.
package enum InteractionSource: String, Hashable, Sendable, CaseIterable {
    case redirect
    case dynamics365
    case adobeCampaign = "adobe-campaign"
    case bird

    /// The number under which it is stored. It never changes.
    package var code: UInt8 {
        switch self {
        case .redirect: 1
        case .dynamics365: 2
        case .adobeCampaign: 3
        case .bird: 4
        }
    }

    package init?(code: UInt8) {
        guard let source = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = source
    }
}
