package import Interactions

/// What the header fields of a request say about its client and its reason. Only this type reads them: for links, for
/// the image in a mail, and for reports of devices.
package struct RequestSignals: Equatable, Sendable {
    /// Fetched before the recipient asked for it.
    package var isPrefetch = false
    /// Whether the recipient objects to being tracked (`Sec-GPC: 1`).
    package var hasGlobalPrivacyControl = false
    /// The meaning of the user agent.
    package var agent = AgentMeaning.missing

    package init(isPrefetch: Bool = false, hasGlobalPrivacyControl: Bool = false, agent: AgentMeaning = .missing) {
        self.isPrefetch = isPrefetch
        self.hasGlobalPrivacyControl = hasGlobalPrivacyControl
        self.agent = agent
    }

    /// Reads whole header fields. Whitespace around a value is ignored (RFC 9112, 5.1).
    package init(fields: some Sequence<(name: String, value: String)>) {
        self.init()
        for (name, value) in fields {
            let value = value.utf8Span.span
            read(name.utf8Span.span, value.extracting(value.withoutWhitespace))
        }
    }

    /// Reads one field of the header.
    ///
    /// - Parameters:
    ///   - value: without surrounding whitespace.
    ///   - agents: the user agents that were read lately, if they are remembered.
    mutating func read(_ name: Span<UInt8>, _ value: Span<UInt8>, _ agents: RecentAgents? = nil) {
        switch name.count {
        case 5 where name.isSame(as: "x-moz"), 7 where name.isSame(as: "purpose"),
            11 where name.isSame(as: "sec-purpose"):
            if value.contains("prefetch") { isPrefetch = true }
        case 7 where name.isSame(as: "sec-gpc"):
            if value.isSame(as: "1") { hasGlobalPrivacyControl = true }
        case 9 where name.isSame(as: "x-purpose"):
            if value.contains("preview") { isPrefetch = true }
        case 10 where name.isSame(as: "user-agent"):
            agent = agents?.meaning(of: value) ?? AgentMeaning(userAgent: value)
        default: break
        }
    }
}
