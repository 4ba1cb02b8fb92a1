import Cryptography

@testable import OpenIDConnect

/// One provider, one client and one sign-in.
enum Sample {
    static let issuer = "https://id.example.com/realms/a"
    static let now = UnixTime(seconds: 1_800_000_000)
    static let query = "state=the-state&code=the-code"

    static func pending(_ freshness: SignInFreshness = .session) -> PendingSignIn {
        PendingSignIn(
            state: "the-state", nonce: "the-nonce", codeVerifier: "the-verifier", madeAt: now.advanced(by: -30),
            freshness: freshness)
    }

    /// The account of ``claims``.
    static var ana: ProviderSubject {
        get throws { ProviderSubject(issuer: try settings().issuer, subject: "ana") }
    }

    static func settings(
        issuer: String = issuer, clientID: String = "console", secret: String? = "the-secret",
        roles: [String] = ["admins=operator", "acme-m=marketer@acme"], claim: String = "roles",
        scopes: [String] = ["openid"],
        redirectURI: String = "https://console.example.com/console/signed-in"
    ) throws -> ProviderSettings {
        try ProviderSettings(
            issuer: issuer, clientID: clientID, clientSecret: secret.map { SecretBytes(Array($0.utf8)) },
            redirectURI: redirectURI, scopes: scopes, rolesClaim: try RolesClaim(claim),
            roles: try RoleMapping(roles))
    }

    /// Names and JSON texts.
    static let claims: [String: String] = [
        "iss": "\"\(issuer)\"", "aud": "\"console\"", "sub": "\"ana\"", "nonce": "\"the-nonce\"",
        "iat": "\(now.seconds - 5)", "exp": "\(now.seconds + 300)", "roles": #"["admins","other"]"#,
    ]

    static func discovery(_ issuer: String = issuer) -> [String: String] {
        [
            "issuer": "\"\(issuer)\"", "authorization_endpoint": "\"\(issuer)/authorize\"",
            "token_endpoint": "\"\(issuer)/token\"", "jwks_uri": "\"\(issuer)/keys\"",
            "response_types_supported": #"["code"]"#,
            "id_token_signing_alg_values_supported":
                #"["RS256","RS384","RS512","PS256","PS384","PS512","ES256","ES384","ES512","EdDSA","HS256","none"]"#,
        ]
    }

    static func keySet(_ keys: [TestKey]) -> String { #"{"keys":[\#(keys.map(\.jwk).joined(separator: ","))]}"# }

    static func json(_ members: [String: String]) -> String {
        "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }
}
