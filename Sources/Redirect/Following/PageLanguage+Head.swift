import NIOHTTP1
import Pages

extension PageLanguage {
    /// The language of the answer to a request that the decoder has read. If there are several `Accept-Language`, the
    /// first counts, as for a ``PlainRequest``.
    init(_ head: HTTPRequestHead) {
        let wanted = head.headers.first(name: "Accept-Language") ?? ""
        self.init(target: head.uri.utf8Span.span, acceptLanguage: wanted.utf8Span.span)
    }
}
