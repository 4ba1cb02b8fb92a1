/// The refusals of the token endpoint (RFC 6749, 5.2), and what some providers answer there in maintenance, although the
/// standard has it at the redirect only.
package enum TokenRefusal: String, CaseIterable, Sendable {
    case invalidRequest = "invalid_request"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"
    case invalidScope = "invalid_scope"
    case serverError = "server_error"
    case temporarilyUnavailable = "temporarily_unavailable"
    case other = "another error"

    init(_ text: String) { self = Self.allCases.first { $0.rawValue.hasSameBytes(as: text) } ?? .other }
}
