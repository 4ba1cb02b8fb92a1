/// The path under which tracked links stand: `/r/{token}`.
package enum RedirectPath {
    /// What a tracked link has between the public origin and its token.
    package static let prefix = "/r/"

    /// What the hits of Adobe's mobile SDKs begin with. They are reports of devices, and the router's.
    private static let hitPrefix = "/r/?"

    /// Whether the target of a request line is under ``prefix``; an absolute target (RFC 9112, 3.2.2) may be, too.
    static func covers(_ uri: String) -> Bool {
        guard uri.utf8.starts(with: prefix.utf8) else {
            return uri.utf8.first != UInt8(ascii: "/") && pathOfAbsolute(uri) != nil
        }
        return !uri.utf8.starts(with: hitPrefix.utf8)
    }

    /// Calls `body` with the token's bytes: what follows the prefix, without the query and the one trailing slash that
    /// a mail gateway may have added. They lie in the request's own memory and are not copied.
    static func withToken<Result>(of uri: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var text = uri.utf8.first == UInt8(ascii: "/") ? uri : pathOfAbsolute(uri) ?? uri
        return text.withUTF8 { bytes in
            var token = bytes.dropFirst(prefix.utf8.count).prefix { $0 != UInt8(ascii: "?") }
            if token.last == UInt8(ascii: "/") { token = token.dropLast() }
            return body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: token)))
        }
    }

    /// The path and query of `http://host/r/…`; `nil` for every other text.
    private static func pathOfAbsolute(_ uri: String) -> String? {
        for scheme in ["http://", "https://"] where uri.prefix(scheme.count).lowercased() == scheme {
            let rest = uri.dropFirst(scheme.count)
            guard let slash = rest.firstIndex(of: "/") else { return nil }
            let path = String(rest[slash...])
            return path.utf8.starts(with: prefix.utf8) ? path : nil
        }
        return nil
    }
}
