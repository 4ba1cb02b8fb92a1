/// The provider's refusals at the redirect (RFC 6749, 4.1.2.1; OpenID Connect Core 1.0, 3.1.2.6). Texts that it sends
/// with them are dropped.
package enum ProviderRefusal: String, CaseIterable, Sendable {
    case accessDenied = "access_denied"
    case invalidRequest = "invalid_request"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedResponseType = "unsupported_response_type"
    case invalidScope = "invalid_scope"
    case serverError = "server_error"
    case temporarilyUnavailable = "temporarily_unavailable"
    case interactionRequired = "interaction_required"
    case loginRequired = "login_required"
    case accountSelectionRequired = "account_selection_required"
    case consentRequired = "consent_required"
    case other = "another error"

    init(_ text: String) { self = Self.allCases.first { $0.rawValue.hasSameBytes(as: text) } ?? .other }
}
