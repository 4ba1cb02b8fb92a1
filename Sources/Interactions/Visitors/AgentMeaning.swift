/// What a user agent says about who made a request. It may mean one thing when the picture of a mail is fetched, and
/// another when a link is followed: an image proxy follows no links.
package struct AgentMeaning: Hashable, Sendable {
    package let opening: Visitor
    package let following: Visitor

    package static let missing = AgentMeaning(.noUserAgent)
    package static let browser = AgentMeaning(.browserAgent)

    /// Reads the table of user agents, which the build embeds, so that no request has to wait for it. A fault in it ends
    /// the process here.
    package static func prepare() { _ = AgentTable.known }

    package init(opening: Visitor, following: Visitor) {
        self.opening = opening
        self.following = following
    }

    package init(_ visitor: Visitor) { self.init(opening: visitor, following: visitor) }

    /// - Parameter userAgent: the header's value. Only the first 512 bytes are looked at: a longer user agent is not a
    ///   better one.
    package init(userAgent: Span<UInt8>) {
        self = userAgent.isEmpty ? .missing : AgentTable.known.meaning(of: userAgent.extracting(first: 512))
    }
}
