import Cryptography

/// A request for sign-in (OpenID Connect Core 1.0, 3.1.2.1): the URL for the browser, and the state to store.
package struct AuthorizationRequest: Sendable {
    /// For `Location`. It contains the state and the nonce, so it must not be logged.
    package let url: String
    package let pending: PendingSignIn

    init(
        _ settings: ProviderSettings, _ metadata: ProviderMetadata, _ freshness: SignInFreshness, now: UnixTime,
        using generator: inout some RandomNumberGenerator
    ) {
        pending = PendingSignIn(freshness, now: now, using: &generator)
        var parameters = [
            ("response_type", "code"), ("client_id", settings.clientID),
            ("redirect_uri", settings.redirectURI.description), ("scope", settings.scopes.joined(separator: " ")),
            ("state", pending.state), ("nonce", pending.nonce),
            ("code_challenge", Self.challenge(pending.codeVerifier)), ("code_challenge_method", "S256"),
        ]
        if freshness == .newAuthentication { parameters += [("prompt", "login"), ("max_age", "0")] }
        url = metadata.authorizationEndpoint.adding(parameters.map { (name: $0.0, value: $0.1) })
    }

    /// RFC 7636, 4.2.
    static func challenge(_ verifier: String) -> String { Base64URL.encode(SHA256.hash(of: Array(verifier.utf8))) }
}

extension AuthorizationRequest: CustomStringConvertible, CustomReflectable {
    package var description: String { "(authorization request)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
