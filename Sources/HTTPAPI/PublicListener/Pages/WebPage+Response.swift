import HTTPTypes
import Hummingbird
import NIOCore
import Pages

extension WebPage {
    func response(status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: HTTPFields(header), body: .init(byteBuffer: ByteBuffer(string: html)))
    }
}

extension Request {
    /// Whether the client shows pages, as a browser does. The weights of media types do not matter.
    var acceptsHTML: Bool { headers[values: .accept].contains { $0.lowercased().contains("text/html") } }

    /// The language of the page for this reader.
    var pageLanguage: PageLanguage {
        let query = uri.query ?? ""
        let wanted = headers[values: .acceptLanguage].joined(separator: ",")
        return PageLanguage(query: query.utf8Span.span, acceptLanguage: wanted.utf8Span.span)
    }

    /// The language of the page whose form was sent; `nil` if no page was shown, for example when a mail program
    /// unsubscribes in one click (RFC 8058).
    var shownLanguage: PageLanguage? {
        let query = uri.query ?? ""
        return PageLanguage(chosenIn: query.utf8Span.span)
    }
}
