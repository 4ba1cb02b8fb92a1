/// The members of a query that are not taken yet. Adding and taking one is a fixed number of steps, however many there
/// are: unknown clients choose how many, up to the length of a request line.
struct QueryMembers<Name: Hashable> {
    private var values: [Name: String] = [:]
    /// In the order of the query, including those that were taken.
    private var names: [Name] = []

    /// - Returns: `false` for a name that was added before.
    mutating func add(_ name: Name, _ value: String) -> Bool {
        guard values.updateValue(value, forKey: name) == nil else { return false }
        names.append(name)
        return true
    }

    /// Removes the value under `name` and returns it; `nil` if it is absent.
    mutating func take(_ name: Name) -> String? { values.removeValue(forKey: name) }

    /// The first that was not taken.
    var first: Name? { names.first { values[$0] != nil } }
}
