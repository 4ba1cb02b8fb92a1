import Consent
import HTTPTypes
import Hummingbird
import Identifiers
import JSON
import Ledger
import Logging
import Messages
import NIOCore
import NIOHTTP1
import Organizations
import UseCases

extension Problem {
    /// The one place where what the targets throw becomes HTTP.
    init(_ error: any Error, logger: Logger) {
        switch error {
        case let problem as Problem: self = problem
        case let problems as BodyProblems: self = Problem(problems)
        case let error as JSONError: self = error.bodyProblems.map { Problem($0) } ?? Problem(.badRequest, "\(error)")
        case let refusal as RequestRefusal: self = Problem(refusal)
        case is NIOTooManyBytesError: self = Problem(.contentTooLarge, "The body is larger than 16 MiB.")
        case let error as any StoreFailure:
            logger.error("storage failed", metadata: ["error": "\(error)"])
            self = .unavailable("The store cannot be asked or written right now.")
        case let reason as LedgerBreak:
            self = .unavailable("The ledger is closed, so nothing is entered and nobody is tracked: \(reason).")
        case is UnreadableMessage: self = .unavailable("The message cannot be read: its ledger is closed.")
        case is StaleStandings: self = .unavailable("A recipient is being erased. Please try again.")
        case BackupError.underWay: self = Problem(.conflict, "\(BackupError.underWay)")
        case let error as BackupError: self = .unavailable("\(error)")
        case is HTTPParserError: self = Problem(.badRequest, "The request is malformed.")
        case is CancellationError: self = .unavailable("The service is being stopped.")
        case is IdempotencyKeyTaken: self = Problem(.stillRunning)
        case let error as HTTPError where error.status == .notFound: self = .notFound
        case let error as HTTPError: self = Problem(error.status, error.body ?? error.status.reasonPhrase)
        default:
            logger.error("unexpected error", metadata: ["type": "\(type(of: error))"])
            self = Problem(.internalServerError, "Something went wrong in the service.")
        }
    }
}

extension Problem {
    init(_ refusal: RequestRefusal) {
        switch refusal {
        case .notFound: self = .notFound
        case .keyDeleted:
            self.init(.unauthorized, "The key was deleted. Nothing after this was stored or is told.")
        case .stillRunning: self.init(.conflict, "A request with this Idempotency-Key is being worked on.")
        case .idempotencyKeyReused:
            self.init(.unprocessableContent, "This Idempotency-Key was used for a request with another body.")
        case .overQuota(let quota, let seconds):
            self.init(.tooManyRequests, "The organization's quota requestsPerMinute, which is \(quota), is used up.")
            headers[.retryAfter] = String(seconds)
        }
    }
}

/// Turns whatever a handler throws into a problem document, and keeps every body from an answer to HEAD (RFC 9110,
/// 9.3.2).
struct ProblemMiddleware<Context: RequestContext>: RouterMiddleware {
    let requestIDs: RequestIDPolicy

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response: Response
        do {
            response = try await next(request, context)
        } catch {
            response = Problem(error, logger: context.logger)
                .response(requestID: requestIDs.told(context.logger.requestID))
        }
        return request.method == .head ? response.createHeadResponse() : response
    }
}
