import Cryptography

/// The request that exchanges a code for an ID token (RFC 6749, 4.1.3; RFC 7636, 4.5).
enum TokenRequest {
    static let maximumAnswerSize = 128 << 10

    static func make(
        _ settings: ProviderSettings, _ metadata: ProviderMetadata, code: String, verifier: String
    ) -> ProviderRequest {
        var parameters = [
            (name: "grant_type", value: "authorization_code"), (name: "code", value: code),
            (name: "redirect_uri", value: settings.redirectURI.description),
            (name: "code_verifier", value: verifier),
        ]
        var authorization: String?
        switch metadata.clientAuthentication {
        case .basic: authorization = basic(settings)
        case .none: parameters.append((name: "client_id", value: settings.clientID))
        case .post:
            parameters.append((name: "client_id", value: settings.clientID))
            parameters.append((name: "client_secret", value: String(decoding: secret(settings), as: UTF8.self)))
        }
        return .post(
            FormEncoding.encode(parameters), to: metadata.tokenEndpoint, authorization: authorization,
            maximumAnswerSize: maximumAnswerSize)
    }

    /// Id and secret are form-encoded before they are joined (RFC 6749, 2.3.1); otherwise a colon in the id would be
    /// read as its end.
    private static func basic(_ settings: ProviderSettings) -> String {
        let id = FormEncoding.encode(Array(settings.clientID.utf8))
        return "Basic " + Base64.encode(id + [UInt8(ascii: ":")] + FormEncoding.encode(secret(settings)))
    }

    private static func secret(_ settings: ProviderSettings) -> [UInt8] {
        settings.clientSecret?.withSpan { bytes in bytes.indices.map { bytes[$0] } } ?? []
    }
}
