import Identifiers
import Organizations

/// Who makes a request.
enum Caller: Sendable {
    case `operator`
    case key(AccessKey)
    /// Without a key, or with one that nobody has: gets no further than the routes that are open to anyone.
    case nobody

    /// What the caller is told apart by: the id of its key, never the key.
    var name: String {
        switch self {
        case .operator: "operator"
        case .key(let key): key.id.description
        case .nobody: "nobody"
        }
    }

    /// What this caller may hand on with a key.
    var grantableScopes: Set<Scope> {
        switch self {
        case .operator: Set(Scope.allCases)
        case .key(let key): key.scopes
        case .nobody: []
        }
    }
}
