import JSON

/// The content of the discovery document (OpenID Connect Discovery 1.0, 3) that this client needs.
struct ProviderMetadata: Sendable {
    static let maximumDocumentSize = 128 << 10
    /// The most names that are read from one of its lists.
    private static let maximumNameCount = 256

    let authorizationEndpoint: SecureURL
    let tokenEndpoint: SecureURL
    let keySetURL: SecureURL
    /// Only algorithms that are allowed here; not empty.
    let algorithms: Set<SigningAlgorithm>
    let clientAuthentication: ClientAuthentication
    /// Whether each answer at the redirect has `iss` (RFC 9207, 3).
    let sendsIssuer: Bool

    /// The address of the document of `issuer` (OpenID Connect Discovery 1.0, 4.1).
    static func url(of issuer: SecureURL) -> SecureURL? {
        var base = issuer.description
        if base.hasSuffix("/") { base.removeLast() }
        return SecureURL(base + "/.well-known/openid-configuration")
    }

    /// - Parameter hasSecret: whether the client has a secret to authenticate with.
    init(_ document: JSONObject, issuer: SecureURL, hasSecret: Bool) throws(SignInFailure) {
        guard let found = document.text("issuer") else { throw .document(.discovery, .shape) }
        guard found.hasSameBytes(as: issuer.description) else { throw .metadata(.issuer) }
        authorizationEndpoint = try Self.endpoint("authorization_endpoint", document, issuer)
        tokenEndpoint = try Self.endpoint("token_endpoint", document, issuer)
        keySetURL = try Self.endpoint("jwks_uri", document, issuer)
        guard try Self.names("response_types_supported", document)?.contains("code") ?? false else {
            throw .metadata(.responseType)
        }
        let algorithms = try Self.names("id_token_signing_alg_values_supported", document) ?? []
        self.algorithms = Set(algorithms.compactMap(SigningAlgorithm.init(name:)))
        guard !self.algorithms.isEmpty else { throw .metadata(.algorithms) }
        // A provider that supports PKCE need not say so; but if it lists methods, this one must be among them.
        if let methods = try Self.names("code_challenge_methods_supported", document) {
            guard methods.contains("S256") else { throw .metadata(.challengeMethod) }
        }
        let methods = try Self.names("token_endpoint_auth_methods_supported", document)
        guard let authentication = ClientAuthentication(hasSecret: hasSecret, supported: methods) else {
            throw .metadata(.clientAuthentication)
        }
        clientAuthentication = authentication
        switch document["authorization_response_iss_parameter_supported"] {
        case nil: sendsIssuer = false
        case .bool(let sends): sendsIssuer = sends
        default: throw .document(.discovery, .shape)
        }
    }

    /// A provider elsewhere must not send this service's requests to other services of this machine, so `http` is
    /// allowed only if the issuer is on this machine, too.
    private static func endpoint(
        _ name: String, _ document: JSONObject, _ issuer: SecureURL
    ) throws(SignInFailure) -> SecureURL {
        guard let text = document.text(name) else { throw .document(.discovery, .shape) }
        guard let url = SecureURL(text), !url.isLoopback || issuer.isLoopback else { throw .metadata(.endpoint) }
        return url
    }

    private static func names(_ name: String, _ document: JSONObject) throws(SignInFailure) -> [String]? {
        guard let value = document[name] else { return nil }
        guard case .array(let elements) = value, elements.count <= maximumNameCount else {
            throw .document(.discovery, .shape)
        }
        var names: [String] = []
        for element in elements {
            guard case .string(let text) = element else { throw .document(.discovery, .shape) }
            names.append(text)
        }
        return names
    }
}
