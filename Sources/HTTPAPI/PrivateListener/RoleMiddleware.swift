import Hummingbird

/// Says where the API is, on a node whose setting `roles` is `links`. Such a node has only the API route that backs up
/// its folder: requests that this middleware does not recognise as API requests get 404.
struct RoleMiddleware: RouterMiddleware {
    typealias Context = PrivateContext

    private static let prefix = "/v1/"
    private static let ofNodes = "/v1/peer/"
    private static let backup = "/v1/backup"

    func handle(
        _ request: Request, context: PrivateContext,
        next: (Request, PrivateContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        guard !path.hasPrefix(Self.prefix) || path.hasPrefix(Self.ofNodes) || path == Self.backup else {
            throw Problem.unavailable("This node serves links alone. Ask a node that has the role api.")
        }
        return try await next(request, context)
    }
}
