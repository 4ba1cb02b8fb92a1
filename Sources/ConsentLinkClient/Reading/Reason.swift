/// Why a recipient is tracked or not.
public struct Reason: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let consentGiven: Reason = "consentGiven"
    public static let notOptedOut: Reason = "notOptedOut"
    public static let noConsentRecord: Reason = "noConsentRecord"
    public static let consentExpired: Reason = "consentExpired"
    public static let consentRefused: Reason = "consentRefused"
    public static let consentWithdrawn: Reason = "consentWithdrawn"
    public static let consentRevoked: Reason = "consentRevoked"
    public static let consentInvalidated: Reason = "consentInvalidated"
    public static let recipientErased: Reason = "recipientErased"
    public static let trackingOffForMessage: Reason = "trackingOffForMessage"
}
