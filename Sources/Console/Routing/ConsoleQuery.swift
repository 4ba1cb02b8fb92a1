import ASCII
import Hummingbird

/// The members of a query, decoded as forms encode them (WHATWG URL Standard, 5): `+` is a space.
struct ConsoleQuery: Sendable {
    let all: [(name: String, value: String)]

    init(_ request: Request) { self.init(request.uri.query ?? "") }

    init(_ query: String) {
        all = query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return (String(Substring(name)), Self.decoded(pair[name.endIndex...].dropFirst()))
        }
    }

    /// The first value of a member; `nil` if it is missing.
    func first(_ name: String) -> String? { all.first { $0.name == name }?.value }

    /// `nil` if it is missing, empty or given twice.
    func single(_ name: String) -> String? {
        let values = all.filter { $0.name == name }
        guard values.count == 1, let value = values.first?.value, !value.isEmpty else { return nil }
        return value
    }

    /// A malformed value stays as it was sent.
    private static func decoded(_ value: Substring.UTF8View) -> String {
        let spaced = value.lazy.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        let bytes = PercentEncoding.decode(spaced)
        return bytes.flatMap { String(validating: $0, as: UTF8.self) } ?? String(Substring(value))
    }
}
