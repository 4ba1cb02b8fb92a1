package import Consent
import Identifiers
package import Organizations

/// The party that makes a request.
package enum Principal: Sendable {
    case `operator`
    case key(APIKey)
    /// A caller without a key or with an unknown one: it may only use the routes that are open to anyone.
    case anonymous

    package var key: APIKey? {
        if case .key(let key) = self { key } else { nil }
    }

    /// A name that differs for each caller: the id of the key, never the key.
    package var name: String {
        switch self {
        case .operator: "operator"
        case .key(let key): key.id.description
        case .anonymous: "nobody"
        }
    }

    /// Whether this principal may read personal data.
    package var mayRead: Bool { grantableScopes.contains(.read) }

    /// The scopes that this principal may give to a key that it makes.
    package var grantableScopes: Set<Scope> {
        switch self {
        case .operator: Set(Scope.allCases)
        case .key(let key): key.scopes.withIncluded
        case .anonymous: []
        }
    }
}

extension Principal {
    /// The name under which its looks at recipients are recorded; `nil` for a principal that may not look at any.
    package var accessor: AccessorName? {
        switch self {
        case .operator: .operator
        case .key(let key): AccessorName(key: key.id)
        case .anonymous: nil
        }
    }
}
