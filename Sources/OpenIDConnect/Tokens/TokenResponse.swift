import JSON

/// The answer of the token endpoint (OpenID Connect Core 1.0, 3.1.3.3). Only its ID token is kept.
struct TokenResponse: Sendable {
    let idToken: String

    init(_ response: ProviderResponse) throws(SignInFailure) {
        guard !(400..<500).contains(response.status) else { throw Self.refusal(response) }
        let object: JSONObject
        do throws(DocumentFault) {
            try response.mustBeOK()
            object = try response.object()
        } catch {
            throw .document(.token, error)
        }
        guard let value = object["id_token"] else {
            // Some providers refuse a code with 200.
            throw object.text("error").map { .codeRefused(TokenRefusal($0)) } ?? .token(.missing)
        }
        guard case .string(let token) = value else { throw .document(.token, .shape) }
        idToken = token
    }

    /// A refusal by RFC 6749, 5.2, which has only the statuses 400 and 401; some providers use other ones of 4xx. An
    /// answer without the standard's `error` is reported by its status.
    private static func refusal(_ response: ProviderResponse) -> SignInFailure {
        guard let object = try? response.object(), let error = object.text("error") else {
            return .document(.token, .status(response.status))
        }
        return .codeRefused(TokenRefusal(error))
    }
}
