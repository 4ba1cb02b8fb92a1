import HTTPTypes
import Hummingbird
import Messages

/// Takes text that is not ASCII off the end of a page's address before the router looks for the page: a mail program
/// took it for a part of the address. Behind a slash, the router would take it for one more segment. A fragment, which
/// simple programs send, is taken off, too.
struct PageAddressResponder<Base: HTTPResponder>: HTTPResponder {
    let base: Base

    func respond(to request: Request, context: Base.Context) async throws -> Response {
        try await base.respond(to: request.withPageAddress, context: context)
    }
}

extension PublicPath {
    /// Whether a page for people, or a file that they get there, is below it.
    fileprivate var hasPages: Bool {
        switch self {
        case .withdrawal, .preferences, .consentRequest, .receipt: true
        case .link, .openPixel: false
        }
    }
}

extension Request {
    /// The request without the text that is not ASCII, and without a fragment, behind the token or the name of a page. A
    /// path that has nothing before these stays as it is.
    fileprivate var withPageAddress: Request {
        let path = uri.path
        let kept = PublicPath.asciiPrefix(of: path[..<(path.utf8.firstIndex(of: UInt8(ascii: "#")) ?? path.endIndex)])
        guard kept.endIndex < path.endIndex else { return self }
        let segments = kept.drop { $0 == "/" }
        let isPage = PublicPath.allCases.contains {
            let start = $0.rawValue.dropFirst()
            return $0.hasPages && segments.hasPrefix(start) && segments.utf8.count > start.utf8.count
        }
        guard isPage else { return self }
        var head = head
        head.path = kept + (uri.query.map { "?\($0)" } ?? "")
        return Request(head: head, body: body)
    }
}
