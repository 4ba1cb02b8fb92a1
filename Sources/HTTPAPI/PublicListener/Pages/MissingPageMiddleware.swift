import HTTPTypes
import Hummingbird
import Redirect

/// Answers a reader at an address that no route has with a page in their language. Mail programs break long addresses
/// at a slash, and leave `/p/` or `/c/` without the token. Programs get the problem document of `ProblemMiddleware`.
struct MissingPageMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound && request.acceptsHTML {
            return RefusalResponse(.pageNotFound).response(to: request)
        }
    }
}
