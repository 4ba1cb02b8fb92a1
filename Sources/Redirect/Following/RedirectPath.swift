import ASCII

/// Reads the path of tracked links, `/r/{token}` (`PublicPath.link`), byte by byte.
enum RedirectPath {
    /// Whether the target of a request line is the path of a link; an absolute target (RFC 9112, 3.2.2) may be, too.
    static func covers(_ uri: String) -> Bool {
        guard let path = path(of: uri) else { return false }
        return token(in: path.utf8Span.span) != nil
    }

    /// Calls `body` with the token's bytes.
    static func withToken<Result>(of uri: String, _ body: (Span<UInt8>) -> Result) -> Result? {
        guard let path = path(of: uri) else { return nil }
        let bytes = path.utf8Span.span
        return token(in: bytes).map { body(bytes.extracting($0)) }
    }

    /// Where the token stands in a path: after `/r/`, without the query, the fragment, any text that is not ASCII and
    /// the one trailing slash that a mail gateway may have added. An additional slash at the beginning, as between an
    /// origin and a path that were joined, changes nothing: the router reads other paths in the same way.
    ///
    /// A typographic quote, a Chinese full stop or a word that follows a link in a text can become a part of the link.
    /// Everything from the first byte beyond ASCII on is ignored, raw or percent-encoded. No token has such a byte.
    ///
    /// - Returns: `nil` for a path that is not a link's. What Adobe's mobile SDKs send to `/r/?…` is not: those
    ///   are reports of devices, and the router's.
    static func token(in path: Span<UInt8>) -> Range<Int>? {
        let slash = UInt8(ascii: "/")
        var first = 0
        while first + 1 < path.count, path[first] == slash, path[first + 1] == slash { first += 1 }
        guard path.count >= first + 3, path[first] == slash, path[first + 1] == UInt8(ascii: "r"),
            path[first + 2] == slash
        else { return nil }
        let start = first + 3
        var end = start
        while end < path.count, isLetter(path[end]) || !isEnd(path, at: end) { end += 1 }
        guard end > start || end == path.count || isBeyondASCII(path, at: end) else { return nil }
        if end > start, path[end - 1] == UInt8(ascii: "/") { end -= 1 }
        return start..<end
    }

    /// Whether a byte is a letter, or one of the few others from `@` through DEL. Most of a token is.
    private static func isLetter(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x40 }

    private static func isEnd(_ path: Span<UInt8>, at place: Int) -> Bool {
        path[place] == UInt8(ascii: "?") || path[place] == UInt8(ascii: "#") || isBeyondASCII(path, at: place)
    }

    /// Whether a byte from 0x80 on begins here, raw or percent-encoded.
    private static func isBeyondASCII(_ path: Span<UInt8>, at place: Int) -> Bool {
        let byte = path[place]
        guard byte == UInt8(ascii: "%") else { return byte >= 0x80 }
        guard place + 2 < path.count, let high = path[place + 1].hexDigitValue, path[place + 2].isHexDigit else {
            return false
        }
        return high >= 8
    }

    /// The path and query of a target. For `http://host/r/…` it is the part after the host, which ends at `/`, `?` or
    /// `#` (RFC 3986, 3.2).
    private static func path(of uri: String) -> String? {
        if uri.utf8.first == UInt8(ascii: "/") { return uri }
        for scheme in ["http://", "https://"] where uri.prefix(scheme.count).lowercased() == scheme {
            let rest = uri.dropFirst(scheme.count)
            guard let end = rest.firstIndex(where: { $0 == "/" || $0 == "?" || $0 == "#" }), rest[end] == "/" else {
                return nil
            }
            return String(rest[end...])
        }
        return nil
    }
}
