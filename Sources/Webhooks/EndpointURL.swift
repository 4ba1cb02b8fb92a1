package import Messages

/// The URL that events are sent to: an absolute http or https URL of 1 to 2,048 characters, without user, password or
/// fragment.
///
/// Scheme and host are in lower case and in a canonical spelling, so that every program reads the same host in it. The
/// relay decides each time whether it may connect there.
package struct EndpointURL: Hashable, Sendable, CustomStringConvertible {
    package let text: String
    private let host: TargetHost
    package let isSecure: Bool

    package init(_ text: String) throws(EndpointURLError) {
        let target: TargetURL
        do throws(TargetURLError) { target = try TargetURL(stored: text) } catch { throw .target(error) }
        guard let host = target.host, text.hasPrefix("https://") || text.hasPrefix("http://") else { throw .notWeb }
        guard !text.utf8.contains(UInt8(ascii: "#")) else { throw .fragment }
        isSecure = text.hasPrefix("https://")
        let authority = text.utf8.dropFirst(isSecure ? 8 : 7).prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
        }
        let rest = authority.dropFirst(host.text.utf8.count)
        guard authority.starts(with: host.text.utf8), rest.isEmpty || rest.first == UInt8(ascii: ":") else {
            throw .otherSpelling
        }
        self.text = text
        self.host = host
        guard port != 0 else { throw .noPort }
    }

    /// A name, an IPv4 address, or an IPv6 address in brackets.
    package var hostName: String { host.text }
    package var hostIsAddress: Bool { host.isAddress }

    /// The port to connect to.
    package var port: Int {
        let authority = text.utf8.dropFirst(isSecure ? 8 : 7).prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
        }
        let digits = authority.dropFirst(host.text.utf8.count + 1)
        return Int(String(decoding: digits, as: UTF8.self)) ?? (isSecure ? 443 : 80)
    }

    /// Path and query, in the form of a request line.
    package var pathAndQuery: String {
        let scheme = isSecure ? 8 : 7
        let rest = text.utf8.dropFirst(scheme).drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let path = String(decoding: rest, as: UTF8.self)
        return path.hasPrefix("/") ? path : "/" + path
    }

    /// Host and port in the spelling of the URL, for the header `Host`.
    package var authority: String {
        let rest = text.utf8.dropFirst(isSecure ? 8 : 7)
        return String(decoding: rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }, as: UTF8.self)
    }

    /// Reveals nothing: a URL may contain a secret, and descriptions are written to logs.
    package var description: String { "(endpoint)" }
}

/// Why a text is not a valid ``EndpointURL``. It never repeats the text.
package enum EndpointURLError: Error, Hashable, CustomStringConvertible {
    case target(TargetURLError)
    case notWeb
    case fragment
    case otherSpelling
    case noPort

    package var description: String {
        switch self {
        case .target(let error): error.description
        case .notWeb: "must begin with https:// or http://, in lower case"
        case .noPort: "must not name port 0: nothing can be reached there"
        case .fragment: "must not have a fragment"
        case .otherSpelling:
            "must write its host in lower case, without a dot at the end, and an address in its usual form"
        }
    }
}
