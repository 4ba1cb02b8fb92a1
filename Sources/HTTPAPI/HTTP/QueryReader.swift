import ASCII
import Hummingbird
import Identifiers
import JSON

/// Takes the members of a query string one by one, and refuses members that the route does not know.
///
/// A query of any number of members costs a fixed number of steps for each (``QueryMembers``).
struct QueryReader {
    private var members = QueryMembers<String>()
    /// The query as it was received.
    private let query: String

    init(_ request: Request) throws {
        query = request.uri.query ?? ""
        for (name, value) in request.uri.queryParameters {
            // An empty pair, as between two `&`, says nothing.
            guard !name.isEmpty || !value.isEmpty else { continue }
            let name = String(name)
            guard members.add(name, String(value)) else { throw Problem(query: name, "must not be given twice") }
        }
    }

    /// The member under `name`, converted by `make`; `nil` if it is absent.
    mutating func take<Value, Failure: Error & CustomStringConvertible>(
        _ name: String, _ make: (String) throws(Failure) -> Value
    ) throws -> Value? {
        guard let text = members.take(name) else { return nil }
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

    /// Like ``take(_:_:)``, for a member that may hold any text. It is decoded from the query as received, because
    /// bytes that are not UTF-8 and malformed percent sequences would select something else, and are refused. So would
    /// a plus sign: it is a space in a form (URL Standard, 5), which many clients write, and itself in RFC 3986.
    mutating func takeText<Value, Failure: Error & CustomStringConvertible>(
        _ name: String, _ make: (String) throws(Failure) -> Value
    ) throws -> Value? {
        guard members.take(name) != nil else { return nil }
        let received = received(name)
        guard !received.contains(UInt8(ascii: "+")) else {
            throw Problem(query: name, "must have a space as %20 and a plus sign as %2B: a + can mean either")
        }
        guard let bytes = PercentEncoding.decode(received), let text = String(validating: bytes, as: UTF8.self)
        else { throw Problem(query: name, "must be UTF-8, percent-encoded") }
        do throws(Failure) {
            return try make(text)
        } catch {
            throw Problem(query: name, error.description)
        }
    }

    /// The value of the one member of this name, as received; empty without an equals sign.
    private func received(_ name: String) -> Substring.UTF8View {
        let start = Array("\(name)=".utf8)
        let pair = query.utf8.split(separator: UInt8(ascii: "&")).first { $0.starts(with: start) }
        return pair?.dropFirst(start.count) ?? "".utf8[...]
    }

    mutating func takeBool(_ name: String) throws -> Bool? {
        try take(name) { text throws(NoBool) in
            switch text {
            case "true": true
            case "false": false
            default: throw NoBool()
            }
        }
    }

    func finish() throws {
        guard let unknown = members.first else { return }
        throw Problem(query: unknown, "unknown member")
    }

    private struct NoBool: Error, CustomStringConvertible {
        var description: String { "must be true or false" }
    }

    private enum NoFailure: Error, CustomStringConvertible {
        var description: String { "" }
    }
}
