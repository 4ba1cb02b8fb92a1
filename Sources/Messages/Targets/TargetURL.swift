/// The target of a link: an absolute URL that can be used unchanged in a `Location` header and in a payload.
///
/// It keeps exactly the given bytes, because a normalisation could break a link. Every spelling that browsers (the
/// WHATWG URL Standard) and RFC 3986 read differently is refused, not interpreted, so that a browser reads the URL like
/// this code.
package struct TargetURL: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// `http` or `https`: a browser opens it, so it can be led through a redirect.
        case web
        /// Any other scheme: an app, a mail program, the telephone. Never led through a redirect.
        case app
    }

    static let maximumLength = 2048

    /// The URL, byte for byte as given: 1 to 2,048 characters of visible ASCII.
    package let text: String

    /// The host of a web target; `nil` for an app's, whose URL need not have one.
    package let host: TargetHost?

    package var kind: Kind { host == nil ? .app : .web }

    /// The target of a link that is not stored yet: its form and `rules` are checked.
    package init(_ text: String, rules: TargetRules) throws(TargetURLError) {
        try self.init(text) { scheme, origin throws(TargetURLError) in
            if let origin { return try rules.check(origin) }
            guard text.utf8.count > scheme.utf8.count + 1 else { throw .schemeAlone }
            try rules.check(scheme: scheme)
        }
    }

    /// A target that was accepted earlier, under rules that may have changed since: only its form is checked.
    package init(stored text: String) throws(TargetURLError) {
        try self.init(text) { _, _ in }
    }

    /// - Parameter check: gets the scheme, and the origin of a web target.
    private init(
        _ text: String, check: (String, WebOrigin?) throws(TargetURLError) -> Void
    ) throws(TargetURLError) {
        let parts = try TargetURLParts(text)
        self.text = text
        guard parts.isWeb else {
            try check(parts.scheme, nil)
            host = nil
            return
        }
        let origin = try WebOrigin(parts)
        try check(parts.scheme, origin)
        host = origin.host
    }

    /// The text determines the host.
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Contains nothing of the target: a target can identify its reader, and descriptions end up in logs.
    package var description: String { "(target)" }
}
