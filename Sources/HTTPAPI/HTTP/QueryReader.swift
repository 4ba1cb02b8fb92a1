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

    /// Like ``take(_:_:)``, for a member that may hold any text. Bytes that are not UTF-8 have become U+FFFD at this
    /// point, and a malformed percent sequence is left as received. Both would select something else, so they are
    /// refused.
    mutating func takeText<Value, Failure: Error & CustomStringConvertible>(
        _ name: String, _ make: (String) throws(Failure) -> Value
    ) throws -> Value? {
        guard let text = members.take(name) else { return nil }
        guard !text.unicodeScalars.contains("\u{FFFD}"), !isMalformed(name, text) else {
            throw Problem(query: name, "must be UTF-8, percent-encoded")
        }
        do throws(Failure) {
            return try make(text)
        } catch {
            throw Problem(query: name, error.description)
        }
    }

    /// Whether the percent signs of a text encode nothing. Decoding changes a text if a percent sign in it encodes
    /// something.
    private func isMalformed(_ name: String, _ text: String) -> Bool {
        text.contains("%") && query.split(separator: "&").contains { $0 == "\(name)=\(text)" }
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
