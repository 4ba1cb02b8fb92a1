import HTTPTypes
import Hummingbird
import Pages

/// Why there is no receipt.
enum ReceiptRefusal: Error, Hashable, CaseIterable {
    /// The token is not genuine, or the person was erased.
    case notFound
    /// The token's time has passed.
    case expired
    /// No checkpoint has the record yet, or a store cannot be asked.
    case notReady

    /// A page for people, in their language; a problem document (RFC 9457) for programs.
    func response(to request: Request) -> Response {
        let asHTML = request.acceptsHTML
        let language = asHTML ? request.pageLanguage : .english
        let texts = texts(in: language)
        var response: Response
        if asHTML {
            let page = WebPage(in: language, title: texts.title, content: "<p>\(texts.detail)</p>")
            response = page.response(status: status)
        } else {
            response = Problem(status, texts.detail).response(requestID: nil)
        }
        if self == .notReady { response.headers[.retryAfter] = Problem.retryDelay }
        return response
    }

    private var status: HTTPResponse.Status {
        switch self {
        case .notFound: .notFound
        case .expired: .gone
        case .notReady: .serviceUnavailable
        }
    }

    private func texts(in language: PageLanguage) -> RefusalTexts.Refusal {
        switch self {
        case .notFound: language.texts.receipts.notFound
        case .expired: language.texts.receipts.expired
        case .notReady: language.texts.receipts.notReady
        }
    }
}
