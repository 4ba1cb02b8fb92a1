import NIOHTTP1
import Pages

extension PageLanguage {
    /// The language in which a request is answered that the decoder has read. Of several `Accept-Language` the first
    /// counts, as it does for a ``PlainRequest``.
    init(_ head: HTTPRequestHead) {
        let wanted = head.headers.first(name: "Accept-Language") ?? ""
        self.init(target: head.uri.utf8Span.span, acceptLanguage: wanted.utf8Span.span)
    }
}
