import Foundation

/// The address of a service: scheme, host and port, and a path if a proxy requires one.
package struct ServiceAddress {
    /// Without a slash at the end.
    package let text: String

    private static let ports = 1...65_535

    /// - Parameter url: such as `http://127.0.0.1:8081`.
    /// - Returns: `nil` if `url` is no such address. An invalid port is refused here: a connection to it would end the
    ///   process.
    package init?(_ url: String) {
        guard let parts = URL(string: url), let host = parts.host(), !host.isEmpty,
            ["http", "https"].contains(parts.scheme), parts.user() == nil, parts.query() == nil,
            parts.fragment() == nil, parts.port.map(Self.ports.contains) ?? !Self.namesPort(url)
        else { return nil }
        text = url.hasSuffix("/") ? String(url.dropLast()) : url
    }

    /// `URL` has no port if the number is too large for it.
    private static func namesPort(_ url: String) -> Bool { URLComponents(string: url)?.rangeOfPort != nil }
}
