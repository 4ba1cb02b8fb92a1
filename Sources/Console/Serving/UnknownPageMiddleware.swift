import HTTPTypes
import Hummingbird

/// Answers with a page for an address without a route.
struct UnknownPageMiddleware: RouterMiddleware {
    let router: ConsoleRouter

    func handle(
        _ request: Request, context: ConsoleContext, next: (Request, ConsoleContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            return await router.refuse(ConsoleRefusal.notFound, request, context)
        }
    }
}
