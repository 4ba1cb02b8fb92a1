import ASCII

/// The service's own public origin, with which every link begins.
package struct PublicOrigin: Hashable, Sendable, CustomStringConvertible {
    /// Scheme, host and port as given, without a slash at the end.
    package let text: String

    let origin: WebOrigin

    /// Host and port as given.
    package var authority: String { text.split(separator: "/").last.map(String.init) ?? host.text }

    package var scheme: String { origin.scheme }
    package var host: TargetHost { origin.host }
    /// The port that was given, else 80 or 443.
    package var port: UInt16 { origin.port }

    /// Reads `http(s)://host[:port]`; anything after it, even a slash, is refused.
    package init(_ text: String) throws(TargetURLError) {
        do throws(TargetURLError) {
            let parts = try TargetURLParts(text)
            guard parts.isWeb, parts.path.isEmpty, !parts.hasQueryOrFragment else { throw .notAnOrigin }
            origin = try WebOrigin(parts)
        } catch {
            throw .notAnOrigin
        }
        guard origin.port != 0, !text.hasSuffix(":") else { throw .notAnOrigin }
        self.text = text
    }

    private init(text: String, origin: WebOrigin) {
        self.text = text
        self.origin = origin
    }

    /// The same origin as browsers write it in `Origin` and `Host` (RFC 6454, 6.2): in lower case, without a dot at the
    /// end of the host and without the scheme's own port.
    package var serialized: PublicOrigin {
        let isDefault = port == (scheme == "https" ? 443 : 80)
        return PublicOrigin(text: "\(scheme)://\(host.text)" + (isDefault ? "" : ":\(port)"), origin: origin)
    }

    package var description: String { text }
}

/// The origin of a web URL, in a spelling that can be compared.
struct WebOrigin: Hashable, Sendable {
    let scheme: String
    let host: TargetHost
    let port: UInt16

    init(_ parts: TargetURLParts) throws(TargetURLError) {
        guard let authority = parts.authority else { throw .slashesMissing }
        guard !authority.contains(UInt8(ascii: "@")) else { throw .credentials }
        guard let hostAndPort = HostAndPort(authority) else { throw .badHost }
        guard !hostAndPort.host.isEmpty else { throw .emptyHost }
        guard let host = TargetHost(hostAndPort.host) else { throw .badHost }
        self.host = host
        scheme = parts.scheme
        port = try Self.port(hostAndPort.port) ?? (scheme == "https" ? 443 : 80)
    }

    /// - Returns: `nil` for an empty port, which RFC 3986 allows and browsers take for the scheme's default.
    private static func port(_ digits: ArraySlice<UInt8>) throws(TargetURLError) -> UInt16? {
        guard !digits.isEmpty else { return nil }
        guard digits.allSatisfy(\.isDigit), let port = UInt16(String(decoding: digits, as: UTF8.self)) else {
            throw .badPort
        }
        return port
    }
}

/// An authority without its user, cut before the port.
struct HostAndPort {
    let host: ArraySlice<UInt8>
    /// Without the colon; empty if there is no port.
    let port: ArraySlice<UInt8>

    /// - Returns: `nil` if an IPv6 address has no end, or something other than a port after it.
    init?(_ authority: ArraySlice<UInt8>) {
        var hostEnd = authority.startIndex
        if authority.first == UInt8(ascii: "[") {
            guard let bracket = authority.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            hostEnd = bracket + 1
        } else {
            hostEnd = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        }
        host = authority[..<hostEnd]
        let rest = authority[hostEnd...]
        guard rest.isEmpty || rest.first == UInt8(ascii: ":") else { return nil }
        port = rest.dropFirst()
    }
}
