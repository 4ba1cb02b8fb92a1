import ASCII

/// An absolute URL of `https`, or of `http` on this machine: `127.0.0.0/8`, `[::1]` or `localhost`.
///
/// There is one spelling: scheme and host in lower case, no user, no fragment, only visible ASCII. Two URLs are
/// compared as bytes, as OpenID Connect Discovery 1.0, 4.3 requires for issuers.
package struct SecureURL: Hashable, Sendable, CustomStringConvertible {
    static let maximumLength = 2048

    package let description: String
    /// Whether it is `http`, which is only allowed on this machine.
    let isLoopback: Bool
    let hasQuery: Bool

    /// - Returns: `nil` for any other text.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        let isHTTPS = text.hasPrefix("https://")
        guard isHTTPS || text.hasPrefix("http://") else { return nil }
        let rest = text.utf8.dropFirst(isHTTPS ? 8 : 7)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard let host = Self.host(of: Substring(authority)), isHTTPS || Self.isLoopback(host) else { return nil }
        description = text
        isLoopback = !isHTTPS
        hasQuery = rest.contains(UInt8(ascii: "?"))
    }

    /// Whether RFC 3986 allows the byte in a URL unescaped, except `#`.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: byte.isVisible
        }
    }

    /// - Returns: the host, or `nil` if the authority is not `host` or `host:port`.
    private static func host(of authority: Substring) -> Substring? {
        let isLiteral = authority.hasPrefix("[")
        let host: Substring
        if isLiteral {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[...end]
        } else {
            host = authority.prefix { $0 != ":" }
        }
        guard isLiteral ? isAddress(host) : isName(host) else { return nil }
        let rest = authority[host.endIndex...]
        guard !rest.isEmpty else { return host }
        let port = rest.dropFirst()
        guard rest.hasPrefix(":"), (1...5).contains(port.utf8.count), port.utf8.allSatisfy(\.isDigit),
            let number = Int(port), (1...65535).contains(number)
        else { return nil }
        return host
    }

    private static func isName(_ host: Substring) -> Bool {
        (1...253).contains(host.utf8.count)
            && host.utf8.allSatisfy {
                $0.isDigit || $0.isLowerCaseLetter || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
            }
    }

    private static func isAddress(_ host: Substring) -> Bool {
        (4...41).contains(host.utf8.count)
            && host.utf8.dropFirst().dropLast().allSatisfy {
                $0.isLowerCaseHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
            }
    }

    /// A name such as `127.example.com` is not an address.
    private static func isLoopback(_ host: Substring) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127"
            && numbers.allSatisfy {
                (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isDigit) && UInt8($0) != nil
            }
    }

    /// This URL with parameters added after its own (RFC 6749, 3.1).
    func adding(_ parameters: [(name: String, value: String)]) -> String {
        description + (hasQuery ? "&" : "?") + FormEncoding.encode(parameters)
    }
}
