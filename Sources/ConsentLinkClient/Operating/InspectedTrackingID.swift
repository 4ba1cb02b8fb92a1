public import Foundation

/// The content of a tracking ID.
public struct InspectedTrackingID: Sendable, Hashable, Decodable {
    public let genuine: Bool
    /// Why it is not genuine. Nothing else is known of an ID that is not genuine.
    public let reason: String?
    public let key: Int?
    public let organization: String?
    public let message: String?
    /// The link's index.
    public let link: Int?
    public let target: String?
    public let disabled: Bool?
    public let expires: Date?
    public let expired: Bool?
    public let consent: Reason?
    /// Whether a click now would be recorded.
    public let recorded: Bool?
    /// The consent and recording of opens: for an ID of the message itself, if the message asks for them separately.
    /// ``consent`` and ``recorded`` are then about clicks.
    public let opens: InspectedOpens?
}

/// The consent for opens, in a message that asks for them separately.
public struct InspectedOpens: Sendable, Hashable, Decodable {
    public let consent: Reason?
    /// Whether an open now would be recorded.
    public let recorded: Bool
}

struct InspectionRequest: Encodable {
    let token: String
}
