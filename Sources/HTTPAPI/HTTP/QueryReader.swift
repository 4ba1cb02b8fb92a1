import Hummingbird
import Identifiers
import JSON

/// Takes the members of a query string one by one, and refuses those that no route asked for.
///
/// A query of any number of members costs a fixed number of steps for each.
struct QueryReader {
    private var members: [String: String] = [:]
    /// In the order of the query.
    private var names: [String] = []

    init(_ request: Request) throws {
        for (name, value) in request.uri.queryParameters {
            let name = String(name)
            guard members.updateValue(String(value), forKey: name) == nil else {
                throw Problem(query: name, "must not be given twice")
            }
            names.append(name)
        }
    }

    /// The member under `name`, made into what it stands for; `nil` when it is absent.
    mutating func take<Value, Failure: Error & CustomStringConvertible>(
        _ name: String, _ make: (String) throws(Failure) -> Value
    ) throws -> Value? {
        guard let text = members.removeValue(forKey: name) else { return nil }
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
        guard let unknown = names.first(where: { members[$0] != nil }) else { return }
        throw Problem(query: unknown, "unknown member")
    }

    private enum NoFailure: Error, CustomStringConvertible {
        var description: String { "" }
    }
}
