/// Why an account is not signed in.
///
/// The description may be shown to unknown users. ``reason`` is for the operator's log; it has no token, code, secret,
/// URL or claim in it either.
package enum SignInFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A document of the provider could not be fetched.
    case document(ProviderDocument, DocumentFault)
    /// The discovery document lacks something that is needed.
    case metadata(MetadataFault)
    /// The browser's query is not the answer to this request.
    case answer(AnswerFault)
    /// The provider refused at the redirect.
    case refused(ProviderRefusal)
    /// The provider refused at the token endpoint.
    case codeRefused(TokenRefusal)
    case token(TokenFault)
    /// The provider knows the account, but none of its values gives a role.
    case noRole(ProviderSubject)

    package var description: String {
        switch self {
        case .document, .metadata: "The identity provider cannot be used at the moment."
        case .answer(.expired): "The sign-in took too long. Please begin again."
        case .answer: "This is not the answer to a sign-in that was begun here. Please begin again."
        case .refused(.accessDenied): "The identity provider did not allow the sign-in."
        case .refused, .codeRefused: "The identity provider refused the sign-in."
        case .token: "The identity provider's answer could not be trusted."
        case .noRole: "This account has no role here."
        }
    }

    /// Whether the fault is the provider's, or on the way to it, and not the browser's.
    package var isOutage: Bool {
        switch self {
        case .metadata, .document(.discovery, _), .document(.keys, _): true
        case .document(.token, .unreachable), .document(.token, .late): true
        case .document(.token, .status(let status)): status >= 500
        case .document(.token, _), .answer, .refused, .codeRefused, .token, .noRole: false
        }
    }

    /// What went wrong, in words for the operator.
    package var reason: String {
        switch self {
        case .document(let document, let fault): "\(document.rawValue): \(fault.reason)"
        case .metadata(let fault): "discovery document: \(fault.rawValue)"
        case .answer(let fault): "redirect: \(fault.rawValue)"
        case .refused(let refusal): "redirect: the provider answered \(refusal.rawValue)"
        case .codeRefused(let refusal): "token endpoint: the provider answered \(refusal.rawValue)"
        case .token(let fault): "ID token: \(fault.rawValue)"
        case .noRole: "no value of the roles claim is mapped to a role"
        }
    }
}

/// A document that is fetched from the provider.
package enum ProviderDocument: String, CaseIterable, Sendable {
    case discovery = "discovery document"
    case keys = "key set"
    case token = "token endpoint"
}

/// Why a document could not be fetched or read.
package enum DocumentFault: Error, Hashable, Sendable {
    case unreachable
    case late
    case tooLarge
    case redirect
    case status(Int)
    case mediaType
    case notJSON
    case duplicateMember
    /// It is JSON of another shape.
    case shape

    var reason: String {
        switch self {
        case .unreachable: "no connection, or it broke"
        case .late: "no complete answer in time"
        case .tooLarge: "larger than allowed"
        case .redirect: "a redirect, which is not followed"
        case .status(let status): "HTTP status \(status)"
        case .mediaType: "its Content-Type is not JSON"
        case .notJSON: "not JSON"
        case .duplicateMember: "a member is there twice"
        case .shape: "a member is missing or has another type than the standard's"
        }
    }
}

/// Why the discovery document is not used.
package enum MetadataFault: String, CaseIterable, Sendable {
    case issuer = "another issuer than the setting"
    case endpoint = "an endpoint is not a URL of https"
    case algorithms = "no signing algorithm that is allowed here"
    case responseType = "the response type code is not offered"
    case challengeMethod = "the code challenge method S256 is not offered"
    case clientAuthentication = "no way of client authentication that this client can use"
}

/// Why the query of the redirect is not an answer.
package enum AnswerFault: String, CaseIterable, Sendable {
    case tooLong = "too long"
    case malformed = "not form-encoded"
    case duplicate = "a parameter is there twice"
    case state = "no state, or another one"
    case expired = "more than 10 minutes after the request"
    case issuerMissing = "no iss, although the provider says that it sends it"
    case issuer = "another iss"
    case code = "no code, or not a code"
    case codeAndError = "both a code and an error"
}

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

/// Why an ID token is refused.
package enum TokenFault: String, CaseIterable, Sendable {
    case missing = "missing in the answer"
    case tooLong = "too long"
    case form = "not three parts of base64url"
    case header = "its header is not that of a signed token"
    case critical = "its header has extensions that must be understood"
    case algorithm = "algorithm not allowed"
    case algorithmNotAnnounced = "algorithm not among those in the discovery document"
    case keyUnknown = "its key is not in the key set"
    case keyUnsuitable = "its key is not one for this algorithm"
    case keyAmbiguous = "several keys could be meant"
    case signature = "wrong signature"
    case claims = "its claims are not a JSON object without duplicates"
    case issuer = "wrong issuer"
    case audience = "wrong audience"
    case authorizedParty = "wrong authorized party (azp)"
    case expired = "expired, or no expiry"
    case issuedAt = "no time of issue, or one in the future"
    case tooOld = "issued more than 10 minutes ago"
    case notBefore = "not valid yet"
    case nonce = "wrong nonce"
    case authenticationTime = "no auth_time, or one before the request for a fresh sign-in"
    case authenticationInFuture = "auth_time in the future"
    case subject = "no subject, or not 1 to 255 ASCII characters"
    case roles = "the roles claim is not a string or a bounded array of strings"
}
