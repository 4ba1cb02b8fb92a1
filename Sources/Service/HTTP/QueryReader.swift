import Hummingbird
import Identifiers
import JSON

/// Takes the members of a query string one by one, and refuses those that nobody asked for.
struct QueryReader {
    private var members: [(name: String, value: String)]

    init(_ request: Request) throws {
        members = request.uri.queryParameters.map { (String($0.key), String($0.value)) }
        let names = members.map(\.name)
        if let twice = names.first(where: { name in names.count(where: { $0 == name }) > 1 }) {
            throw Problem(query: twice, "must not be given twice")
        }
    }

    /// The member under `name`, made into what it stands for; `nil` when it is absent.
    mutating func take<Value, Failure: Error & CustomStringConvertible>(
        _ name: String, _ make: (String) throws(Failure) -> Value
    ) throws -> Value? {
        guard let place = members.firstIndex(where: { $0.name == name }) else { return nil }
        let text = members.remove(at: place).value
        do throws(Failure) {
            return try make(text)
        } catch {
            throw Problem(query: name, error.description)
        }
    }

    mutating func takeChoice<Value: RawRepresentable & CaseIterable>(
        _ name: String, as _: Value.Type = Value.self
    ) throws -> Value? where Value.RawValue == String {
        guard let text = try take(name, { (text: String) throws(NoFailure) in text }) else { return nil }
        guard let value = Value(rawValue: text) else {
            throw Problem(query: name, "must be one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return value
    }

    func finish() throws {
        if let unknown = members.first { throw Problem(query: unknown.name, "unknown member") }
    }

    private enum NoFailure: Error, CustomStringConvertible {
        var description: String { "" }
    }
}
