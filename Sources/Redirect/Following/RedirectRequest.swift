import Interactions
import NIOHTTP1

/// What the redirect looks at in a request; everything else about it is forgotten.
struct RedirectRequest: Equatable {
    enum Method {
        case get
        case head
        case other
    }

    let method: Method
    let isKeepAlive: Bool
    /// HTTP/1.0 keeps a connection open only when it is told so.
    let wantsKeepAliveSaid: Bool
    private(set) var signals = Signals()
    private(set) var wantsHTML = false

    /// What a browser says about why it asks.
    struct Signals: Equatable {
        /// Fetched ahead of a tap that may never come.
        var isPrefetch = false
        /// Global Privacy Control: the person objects to being tracked.
        var objects = false
        var visitor = VisitorClass.ofNobody
    }

    /// A `GET` in HTTP/1.1 on a connection that stays open, before its header was read.
    init() {
        method = .get
        isKeepAlive = true
        wantsKeepAliveSaid = false
    }

    init(_ head: HTTPRequestHead) {
        method =
            switch head.method {
            case .GET: .get
            case .HEAD: .head
            default: .other
            }
        isKeepAlive = head.isKeepAlive
        wantsKeepAliveSaid = head.isKeepAlive && head.version == .http1_0
        for (name, value) in head.headers {
            let value = value.utf8Span.span
            read(name.utf8Span.span, value.extracting(value.withoutBlanks))
        }
    }

    /// Takes in one field of the header, its value without blanks around it; the length of a name rules nearly all of
    /// them out.
    mutating func read(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        switch name.count {
        case 5 where name.isSame(as: "x-moz"), 7 where name.isSame(as: "purpose"),
            11 where name.isSame(as: "sec-purpose"):
            if value.contains("prefetch") { signals.isPrefetch = true }
        case 7 where name.isSame(as: "sec-gpc"):
            if value.isSame(as: "1") { signals.objects = true }
        case 9 where name.isSame(as: "x-purpose"):
            if value.contains("preview") { signals.isPrefetch = true }
        case 10 where name.isSame(as: "user-agent"):
            signals.visitor = VisitorClass(userAgent: value)
        case 6 where name.isSame(as: "accept"):
            if value.contains("text/html") { wantsHTML = true }
        default: break
        }
    }
}
