import ASCII

/// A URL split into the parts that the rules check, after every character was found to be allowed in its place.
struct TargetURLParts {
    /// In lower case.
    let scheme: String
    /// The text between `//` and the path; `nil` without `//`.
    let authority: ArraySlice<UInt8>?
    let path: ArraySlice<UInt8>
    let hasQueryOrFragment: Bool

    var isWeb: Bool { scheme == "http" || scheme == "https" }

    /// Schemes whose URLs are code, or documents that the sender has not published: `Location: javascript:…` has no
    /// legitimate use.
    private static let refusedSchemes: Set<String> = [
        "javascript", "data", "vbscript", "file", "blob", "about", "view-source",
    ]

    init(_ text: String) throws(TargetURLError) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= TargetURL.maximumLength else { throw .tooLong }
        try Self.checkCharacters(of: bytes)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(bytes[..<colon]) else {
            throw .notAbsolute
        }
        scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        guard !Self.refusedSchemes.contains(scheme) else { throw .refusedScheme }

        var hierarchy = bytes[(colon + 1)...]
        let end = hierarchy.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
        hasQueryOrFragment = end < bytes.endIndex
        hierarchy = hierarchy[..<end]
        if hierarchy.starts(with: "//".utf8) {
            hierarchy = hierarchy.dropFirst(2)
            authority = hierarchy.prefix { $0 != UInt8(ascii: "/") }
            path = hierarchy.drop { $0 != UInt8(ascii: "/") }
        } else {
            authority = nil
            path = hierarchy
        }
        try checkDelimiters(behind: bytes[end...])
    }

    /// `#` ends the part before it, so there is at most one; `[` and `]` are around an IPv6 address and nowhere else in
    /// RFC 3986. In a query and a fragment they are allowed nevertheless: shops and client-side routers write
    /// `?filter[size]=m`, and every browser sends it unchanged, so a refusal would have no benefit.
    private func checkDelimiters(behind rest: ArraySlice<UInt8>) throws(TargetURLError) {
        guard rest.count(where: { $0 == UInt8(ascii: "#") }) <= 1, !path.contains(where: Self.isBracket) else {
            throw .forbiddenCharacter
        }
        // The origin reads a web target's authority in full.
        guard !isWeb, let authority, authority.contains(where: Self.isBracket) else { return }
        let user = authority.lastIndex(of: UInt8(ascii: "@"))
        guard let hostAndPort = HostAndPort(authority[(user.map { $0 + 1 } ?? authority.startIndex)...]),
            TargetHost(hostAndPort.host) != nil,
            !authority[..<(user ?? authority.startIndex)].contains(where: Self.isBracket)
        else { throw .badHost }
    }

    /// RFC 3986, 3.1.
    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first.isLetter else { return false }
        return bytes.allSatisfy {
            $0.isLetterOrDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
    }

    private static func isBracket(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") }
}
