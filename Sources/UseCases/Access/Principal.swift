package import Consent
import Identifiers
package import Organizations

/// The party that makes a request.
package enum Principal: Sendable {
    case `operator`
    case key(AccessKey)
    /// Without a key, or with one that does not exist: gets no further than the routes that are open to anyone.
    case nobody

    /// What callers are told apart by: the id of the key, never the key.
    package var name: String {
        switch self {
        case .operator: "operator"
        case .key(let key): key.id.description
        case .nobody: "nobody"
        }
    }

    /// Whether this principal may read what names recipients.
    package var mayRead: Bool { grantableScopes.contains(.read) }

    /// The scopes that this principal may give to a key that it makes.
    package var grantableScopes: Set<Scope> {
        switch self {
        case .operator: Set(Scope.allCases)
        case .key(let key): key.scopes.withIncluded
        case .nobody: []
        }
    }
}

extension Principal {
    /// The name under which its looks at recipients are recorded; `nil` for a principal that may not look at any.
    package var accessor: AccessorName? {
        switch self {
        case .operator: .operator
        case .key(let key): AccessorName(key: key.id)
        case .nobody: nil
        }
    }
}
