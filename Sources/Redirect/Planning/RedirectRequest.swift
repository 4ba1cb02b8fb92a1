import NIOHTTP1
import Pages

/// What the redirect needs of a request.
struct RedirectRequest: Equatable {
    enum Method {
        case get
        case head
        case other
    }

    let method: Method
    let isKeepAlive: Bool
    /// HTTP/1.0 keeps a connection open only when the answer says so.
    let mustStateKeepAlive: Bool
    private(set) var signals = RequestSignals()
    private(set) var wantsHTML = false
    /// The language of a refusal, once it was read. It is read for requests that are refused, and for requests that
    /// wait, because their bytes are gone when their turn comes.
    var language: PageLanguage?

    /// A `GET` in HTTP/1.1 on a connection that stays open, before its header was read.
    init() {
        method = .get
        isKeepAlive = true
        mustStateKeepAlive = false
    }

    init(_ head: HTTPRequestHead) {
        method =
            switch head.method {
            case .GET: .get
            case .HEAD: .head
            default: .other
            }
        isKeepAlive = head.isKeepAlive
        mustStateKeepAlive = head.isKeepAlive && head.version == .http1_0
        for (name, value) in head.headers {
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
        if name.count == 6 {
            if name.isSame(as: "accept"), value.contains("text/html") { wantsHTML = true }
        } else {
            signals.read(name, value, agents)
        }
    }
}
