/// A document that is fetched from the provider.
package enum ProviderDocument: String, CaseIterable, Sendable {
    case discovery = "discovery document"
    case keys = "key set"
    case token = "token endpoint"
}
