/// The refusals of the token endpoint (RFC 6749, 5.2).
package enum TokenRefusal: String, CaseIterable, Sendable {
    case invalidRequest = "invalid_request"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"
    case invalidScope = "invalid_scope"
    case other = "another error"

    init(_ text: String) { self = Self.allCases.first { $0.rawValue.hasSameBytes(as: text) } ?? .other }
}
