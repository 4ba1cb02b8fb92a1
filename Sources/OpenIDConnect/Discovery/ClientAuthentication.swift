/// How the client authenticates at the token endpoint (OpenID Connect Core 1.0, 9).
enum ClientAuthentication: String, Sendable {
    /// A public client, which says its id alone.
    case none
    case basic = "client_secret_basic"
    case post = "client_secret_post"

    /// - Parameter supported: what the discovery document lists; where it lists nothing, `client_secret_basic` is meant.
    /// - Returns: `nil` when the client can do nothing of that. A client without a secret needs no entry: not every
    ///   provider lists `none`.
    init?(hasSecret: Bool, supported: [String]?) {
        guard hasSecret else {
            self = .none
            return
        }
        let supported = supported ?? [Self.basic.rawValue]
        guard let method = [Self.basic, .post].first(where: { supported.contains($0.rawValue) }) else { return nil }
        self = method
    }
}
