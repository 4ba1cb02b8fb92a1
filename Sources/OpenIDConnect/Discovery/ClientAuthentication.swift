/// How the client authenticates at the token endpoint (OpenID Connect Core 1.0, 9).
enum ClientAuthentication: String, Sendable {
    /// A public client, which sends only its id.
    case none
    case basic = "client_secret_basic"
    case post = "client_secret_post"

    /// - Parameter supported: the methods in the discovery document; if it has no list, `client_secret_basic` is meant.
    /// - Returns: `nil` if the client supports none of them. A client without a secret needs no entry: not every
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
