import ASCII
import Foundation

/// The query of a URL (RFC 3986, 3.4). It names no recipient. A value that is `nil` is left out.
struct QueryString {
    private var members: [String] = []

    /// With its question mark; empty where there is none.
    var text: String { members.isEmpty ? "" : "?" + members.joined(separator: "&") }

    func adding(_ name: String, _ value: String?) -> QueryString {
        guard let value else { return self }
        var query = self
        query.members.append("\(name)=\(Self.escaped(value))")
        return query
    }

    func adding(_ name: String, _ value: Int?) -> QueryString { adding(name, value.map { String($0) }) }

    /// - Throws: ``ConsentLinkError/invalidArgument(_:)`` for a time that cannot be written.
    func adding(_ name: String, _ value: Date?) throws(ConsentLinkError) -> QueryString {
        guard let value else { return self }
        return adding(name, try WireTime.text(value))
    }

    /// Percent-encodes all but the unreserved characters: some servers read a plus as a space.
    private static func escaped(_ value: String) -> String {
        PercentEncoding.encode(value, keeping: \.isUnreserved)
    }
}
