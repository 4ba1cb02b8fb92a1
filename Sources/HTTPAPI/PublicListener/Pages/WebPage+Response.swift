import HTTPTypes
import Hummingbird
import NIOCore
import Pages

extension WebPage {
    func response(status: HTTPResponse.Status = .ok) -> Response {
        var headers = HTTPFields()
        for (name, value) in header { headers[.known(name)] = value }
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }
}

extension Request {
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
