import Organizations

extension Set<Scope> {
    /// The names that callers use, in the order of the documentation.
    package var names: [String] { Scope.allCases.filter(contains).map(\.rawValue) }
}
