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
    /// The provider knows the account, but its roles claim cannot be read: they count as none.
    case unreadableRoles(ProviderSubject)

    package var description: String {
        switch self {
        case .document, .metadata: "The identity provider cannot be used at the moment."
        case .answer(.expired): "The sign-in took too long. Please begin again."
        case .answer: "This is not the answer to a sign-in that was begun here. Please begin again."
        case .refused where isOutage, .codeRefused where isOutage:
            "The identity provider cannot be used at the moment."
        case .refused(.accessDenied): "The identity provider did not allow the sign-in."
        case .refused, .codeRefused: "The identity provider refused the sign-in."
        case .token, .unreadableRoles: "The identity provider's answer could not be trusted."
        case .noRole: "This account has no role here."
        }
    }

    /// Whether the provider cannot sign in any account now, for example in maintenance. Then the failure is caused
    /// neither by the account nor by what the browser brought.
    package var isOutage: Bool {
        switch self {
        case .metadata, .document(.discovery, _), .document(.keys, _), .token(.missing): true
        // A refusal of the code has 400 or 401 (RFC 6749, 5.2), perhaps in another form than the standard's. A firewall
        // that refuses a forged one has 403: it must count as a failed attempt.
        case .document(.token, .status(400)), .document(.token, .status(401)), .document(.token, .status(403)): false
        case .document(.token, _): true
        case .refused(let refusal): [.serverError, .temporarilyUnavailable].contains(refusal)
        case .codeRefused(let refusal): [.serverError, .temporarilyUnavailable].contains(refusal)
        case .answer, .token, .noRole, .unreadableRoles: false
        }
    }

    /// The account that the provider has just described and that has no role by that description; `nil` for any other
    /// failure.
    package var accountWithoutRole: ProviderSubject? {
        switch self {
        case .noRole(let account), .unreadableRoles(let account): account
        case .document, .metadata, .answer, .refused, .codeRefused, .token: nil
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
        case .unreadableRoles: "ID token: the roles claim is not a string or a bounded array of strings"
        }
    }
}
