import ASCII
package import Cryptography

/// The operator's settings for the provider through which accounts sign in to the console.
package struct ProviderSettings: Sendable {
    static let maximumClientIDLength = 512
    static let maximumSecretLength = 1024
    static let maximumScopeCount = 32

    package let issuer: SecureURL
    let clientID: String
    /// `nil` for a public client, which only PKCE protects.
    let clientSecret: SecretBytes?
    let redirectURI: SecureURL
    let scopes: [String]
    let rolesClaim: RolesClaim
    package let roles: RoleMapping

    /// - Parameters:
    ///   - clientSecret: without the newline at the end of a file.
    ///   - scopes: must contain `openid`.
    package init(
        issuer: String, clientID: String, clientSecret: SecretBytes?, redirectURI: String,
        scopes: [String] = ["openid"], rolesClaim: RolesClaim, roles: RoleMapping
    ) throws(ProviderSettingsError) {
        guard let issuerURL = SecureURL(issuer), !issuerURL.hasQuery else { throw .issuer }
        guard (1...Self.maximumClientIDLength).contains(clientID.utf8.count), clientID.isPrintable else {
            throw .clientID
        }
        if let clientSecret {
            let isAllowed = clientSecret.withSpan { bytes in
                (1...Self.maximumSecretLength).contains(bytes.count)
                    && bytes.indices.allSatisfy { bytes[$0].isPrintable }
            }
            guard isAllowed else { throw .clientSecret }
        }
        guard let redirect = SecureURL(redirectURI) else { throw .redirectURI }
        guard scopes.contains("openid"), scopes.count <= Self.maximumScopeCount, Set(scopes).count == scopes.count,
            scopes.allSatisfy(Self.isScope)
        else { throw .scopes }
        self.issuer = issuerURL
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.redirectURI = redirect
        self.scopes = scopes
        self.rolesClaim = rolesClaim
        self.roles = roles
    }

    /// A scope-token of RFC 6749, 3.3.
    private static func isScope(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isVisible && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}
