import Interactions
import NIOHTTP1

/// What the redirect looks at in a request; everything else about it is forgotten.
struct RedirectRequest {
    enum Method {
        case get
        case head
        case other
    }

    let method: Method
    /// The request line's target, in which the token stands.
    let uri: String
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
        var visitor = VisitorClass(userAgent: nil)
    }

    init(_ head: HTTPRequestHead) {
        method =
            switch head.method {
            case .GET: .get
            case .HEAD: .head
            default: .other
            }
        uri = head.uri
        isKeepAlive = head.isKeepAlive
        wantsKeepAliveSaid = head.isKeepAlive && head.version == .http1_0
        for (name, value) in head.headers { read(name, value) }
    }

    /// One pass over the headers; the length of a name rules nearly all of them out.
    private mutating func read(_ name: String, _ value: String) {
        switch name.utf8.count {
        case 5 where name.isSame(as: "x-moz"), 7 where name.isSame(as: "purpose"),
            11 where name.isSame(as: "sec-purpose"):
            if value.lowercased().contains("prefetch") { signals.isPrefetch = true }
        case 7 where name.isSame(as: "sec-gpc"):
            if value == "1" { signals.objects = true }
        case 9 where name.isSame(as: "x-purpose"):
            if value.lowercased().contains("preview") { signals.isPrefetch = true }
        case 10 where name.isSame(as: "user-agent"):
            signals.visitor = VisitorClass(userAgent: value)
        case 6 where name.isSame(as: "accept"):
            if value.contains("text/html") { wantsHTML = true }
        default: break
        }
    }
}

extension String {
    /// Whether this is `lowercased` in any case of its ASCII letters.
    fileprivate func isSame(as lowercased: StaticString) -> Bool {
        utf8.elementsEqual(
            UnsafeBufferPointer(start: lowercased.utf8Start, count: lowercased.utf8CodeUnitCount),
            by: { byte, wanted in
                ((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte) == wanted
            })
    }
}
