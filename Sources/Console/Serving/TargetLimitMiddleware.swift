import HTTPAPI
import HTTPTypes
import Hummingbird
import OpenIDConnect

/// Refuses addresses that no link and no form of the console has, before they are parsed: the cost of a page grows with
/// the members of its query, which are in many of its links.
struct TargetLimitMiddleware: RouterMiddleware {
    /// The longest path and query together, in bytes. The longest is the answer of a provider.
    static let maximumTargetLength = ProviderRoutes.answerPath.utf8.count + 1 + RelyingParty.maximumAnswerSize
    static let maximumMemberCount = 32

    let router: ConsoleRouter

    func handle(
        _ request: Request, context: ConsoleContext, next: (Request, ConsoleContext) async throws -> Response
    ) async throws -> Response {
        guard let target = request.head.path, !Self.isWithin(target) else { return try await next(request, context) }
        // The error page has links to itself, so its address is replaced.
        var head = request.head
        head.path = "/"
        return await router.refuse(ConsoleRefusal.targetTooLong, Request(head: head, body: request.body), context)
    }

    static func isWithin(_ target: String) -> Bool {
        target.utf8.count <= maximumTargetLength && target.utf8.count { $0 == UInt8(ascii: "&") } < maximumMemberCount
    }
}
