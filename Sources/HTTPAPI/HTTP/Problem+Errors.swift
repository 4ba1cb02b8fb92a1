import Consent
package import HTTPTypes
import Hummingbird
import Identifiers
import JSON
import Ledger
package import Logging
import Messages
import NIOCore
import NIOHTTP1
import StoragePorts
import TrackingIDs
import UseCases
import Webhooks

extension Problem {
    /// The only place that maps the errors of the targets to HTTP.
    init(describing error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let problems as BodyProblems: self = Problem(problems)
        case let error as JSONError: self = error.bodyProblems.map { Problem($0) } ?? Problem(.badRequest, "\(error)")
        case let refusal as RequestRefusal: self = Problem(refusal)
        case is NIOTooManyBytesError: self = Problem(.contentTooLarge, "The body is larger than 16 MiB.")
        case is UnclearedErasure:
            self = .unavailable("The recipient is erased, but files are not cleared yet. Please try again.")
        case let failure as any StoreFailure where failure.isDuringMigration:
            self = .unavailable("The storage takes no writes while it is moved to another one.")
        // The log names the organization, which may be another one than the caller's.
        case let notice as UnreadableNotice:
            self = .unavailable("Notice \(notice.number) of a consent request is not the one that was stored.")
        case is any StoreFailure: self = .unavailable("The store cannot be asked or written right now.")
        case let reason as LedgerInconsistency:
            self = .unavailable("The ledger is closed, so it takes no entries and no recipient is tracked: \(reason).")
        case is SigningKeyMissing: self = .unavailable("This cannot be looked up right now. Please try again.")
        case is UnreadableMessage: self = .unavailable("The message cannot be read: its ledger is closed.")
        case is StaleSnapshot:
            self = .unavailable("A recipient is being erased, or the enforcement is changing. Please try again.")
        case TrackingIDError.expiryOutOfRange:
            self = .unavailable("Links expire by 2106-02-07, and service time is too near to that: set the clock.")
        case BackupError.underWay: self = Problem(.conflict, "\(BackupError.underWay)")
        case let error as BackupError: self = .unavailable("\(error)")
        // While a body is read, only the connection of its request throws these. No answer reaches the client.
        case is IOError, is ChannelError: self = Problem(.badRequest, "The connection broke off before the body ended.")
        case is HTTPParserError: self = Problem(.badRequest, "The request is malformed.")
        case is CancellationError: self = .unavailable("The service is being stopped.")
        case is RecipientsNotPermitted:
            self = Problem(.forbidden, "Events with recipients need a key that may read, too.")
        case is IdempotencyKeyTaken: self = Problem(.stillRunning)
        case let error as HTTPError where error.status == .notFound: self = .notFound
        case let error as HTTPError: self = Problem(error.status, error.body ?? error.status.reasonPhrase)
        default: self = Problem(.internalServerError, "Something went wrong in the service.")
        }
    }

    /// The problem document for `error`. An error of the service itself is also logged.
    static func reporting(_ error: any Error, to logger: Logger) -> Problem {
        let problem = Problem(describing: error)
        logger.report(error, answeredWith: problem)
        return problem
    }
}

/// What went wrong, for an answer that is no problem document.
package enum AnsweredError {
    /// The status with which the API answers `error`. An error of the service itself is also logged.
    package static func status(of error: any Error, reportingTo logger: Logger) -> HTTPResponse.Status {
        Problem.reporting(error, to: logger).status
    }
}

extension Logger {
    /// Logs a failure of the store and an unexpected error; no other error. For an unexpected error it logs only the
    /// type, because the text may name a person.
    func report(_ error: any Error, answeredWith problem: Problem) {
        if let failure = error as? any StoreFailure {
            self.error("storage failed", metadata: ["error": "\(failure)"])
        } else if problem.status == .internalServerError {
            self.error("unexpected error", metadata: ["type": "\(type(of: error))"])
        }
    }
}

extension Problem {
    init(_ refusal: RequestRefusal) {
        switch refusal {
        case .notFound: self = .notFound
        case .keyDeleted:
            self.init(.unauthorized, "The key was deleted. Nothing more was stored or is answered.")
            headers[.wwwAuthenticate] = "Bearer"
        case .stillRunning:
            self.init(.conflict, "A request with this Idempotency-Key is being worked on.")
            // Clients tell it by this header from a conflict that is final.
            headers[.retryAfter] = "1"
        case .idempotencyKeyReused:
            self.init(.unprocessableContent, "This Idempotency-Key was used for a request with another body.")
        case .tooManyWait: self = .unavailable("Too many requests wait for more of a feed. Ask without wait.")
        case .overQuota(let quota, let seconds):
            self.init(.tooManyRequests, "The organization's quota requestsPerMinute, which is \(quota), is used up.")
            headers[.retryAfter] = String(seconds)
        }
    }
}

/// Turns any error of a handler into a problem document, and removes the body from every answer to HEAD (RFC 9110,
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
            response = Problem.reporting(error, to: context.logger)
                .response(requestID: requestIDs.told(context.logger.requestID))
        }
        return request.method == .head ? response.toHEAD : response
    }
}
