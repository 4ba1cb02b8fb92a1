import Hummingbird

/// Says where the API is, at a node whose setting `roles` is `links`. Such a node has no route of the API but the one that
/// backs up its folder: what this does not recognise as one of them is 404.
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
