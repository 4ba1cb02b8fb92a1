/// Where a link leads: an absolute URL that may stand in a `Location` header and in a payload as it is.
///
/// Exactly the bytes that were given are kept, for nothing that is normalised here could be told from a change that
/// breaks somebody's link. So that they mean to a browser what they mean to us, every spelling on which browsers (the
/// WHATWG URL Standard) and RFC 3986 disagree is refused rather than interpreted.
package struct TargetURL: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        /// `http` or `https`: a browser goes there, so it can be led through a redirect.
        case web
        /// Any other scheme: an app, a mail program, the telephone. Never led through a redirect.
        case app
    }

    package static let maximumLength = 2048

    /// The URL, byte for byte as given: 1 to 2,048 characters of visible ASCII.
    package let text: String

    /// Which host a web target leads to; `nil` for an app's, whose URL need not have one.
    package let host: TargetHost?

    package var kind: Kind { host == nil ? .app : .web }

    package init(_ text: String, rules: TargetRules) throws(TargetURLError) {
        try self.init(text) { scheme, origin throws(TargetURLError) in
            if let origin { return try rules.check(origin) }
            guard text.utf8.count > scheme.utf8.count + 1 else { throw .schemeAlone }
            try rules.check(scheme: scheme)
        }
    }

    /// A target that was accepted before, under rules that may have changed since: only its form is checked.
    package init(stored text: String) throws(TargetURLError) {
        try self.init(text) { _, _ in }
    }

    /// - Parameter check: is given the scheme, and the origin of a web target.
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

    /// The host is told by the text.
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Says nothing: a target can tell who its reader is, and descriptions end up in logs.
    package var description: String { "(target)" }
}
