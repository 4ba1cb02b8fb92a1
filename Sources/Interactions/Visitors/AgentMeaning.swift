/// What a user agent tells about the visitor. It can have different meanings for fetching the picture of a mail and for
/// following a link, because an image proxy does not follow links.
package struct AgentMeaning: Hashable, Sendable {
    package let opening: Visitor
    package let following: Visitor

    package static let missing = AgentMeaning(.noUserAgent)
    package static let browser = AgentMeaning(.browserAgent)

    /// Reads the embedded table of user agents at the start, so that no request has to wait for it. A fault in the
    /// table ends the process here.
    package static func prepare() { _ = AgentTable.known }

    package init(opening: Visitor, following: Visitor) {
        self.opening = opening
        self.following = following
    }

    package init(_ visitor: Visitor) { self.init(opening: visitor, following: visitor) }

    /// - Parameter userAgent: the header's value. Only the first 512 bytes are read; the rest of a longer one is
    ///   ignored.
    package init(userAgent: Span<UInt8>) {
        self = userAgent.isEmpty ? .missing : AgentTable.known.meaning(of: userAgent.extracting(first: 512))
    }
}
