import Hummingbird

/// The members of a query, decoded.
struct ConsoleQuery: Sendable {
    let all: [(name: String, value: String)]

    init(_ request: Request) { all = request.uri.queryParameters.map { (String($0.key), String($0.value)) } }

    /// The first value of a member; `nil` if it is missing.
    func first(_ name: String) -> String? { all.first { $0.name == name }?.value }

    /// `nil` if it is missing, empty or given twice.
    func single(_ name: String) -> String? {
        let values = all.filter { $0.name == name }
        guard values.count == 1, let value = values.first?.value, !value.isEmpty else { return nil }
        return value
    }
}
