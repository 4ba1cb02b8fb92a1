import HTTPAPI
import HTTPTypes
import Hummingbird

/// Answers HEAD as GET, without the body (RFC 9110, 9.3.2).
struct HeadMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ConsoleContext, next: (Request, ConsoleContext) async throws -> Response
    ) async throws -> Response {
        guard request.method == .head else { return try await next(request, context) }
        var head = request.head
        head.method = .get
        return try await next(Request(head: head, body: request.body), context).toHEAD
    }
}
