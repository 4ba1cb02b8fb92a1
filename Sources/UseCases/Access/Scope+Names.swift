import Organizations

extension Set<Scope> {
    /// As callers write them, in the order in which scopes are documented.
    package var names: [String] { Scope.allCases.filter(contains).map(\.rawValue) }
}
