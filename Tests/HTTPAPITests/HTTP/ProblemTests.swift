import HTTPTypes
import Hummingbird
import Identifiers
import JSON
import Ledger
import Logging
import Messages
import NIOCore
import SQL
import SQLiteFiles
import TestSupport
import Testing
import TrackingIDs
import UseCases

@testable import Consent
@testable import HTTPAPI

/// What went wrong, as clients read it (RFC 9457).
@Suite struct ProblemTests {
    private let log = LogLines()
    private var logger: Logger { log.logger }

    private func answer(_ problem: Problem, requestID: String? = nil) async throws -> ListenerAnswer {
        let response = problem.response(requestID: requestID)
        let body = BodyCollector()
        try await response.body.write(body)
        return ListenerAnswer(status: response.status.code, headers: response.headers, body: body.text)
    }

    @Test("a document is its type, title, status and detail, and what does not fit, each by its pointer")
    func document() async throws {
        let plain = try await answer(.notFound)
        #expect(
            plain.body
                == #"{"type":"about:blank","title":"Not Found","status":404,"#
                + #""detail":"There is nothing here under this name."}"#)
        let fields = [
            FieldProblem(JSONPointer.root.appending("a/b~c").appending(3), "is required"),
            FieldProblem(.root, "must be an object"),
        ]
        let full = try await answer(Problem(try #require(BodyProblems(fields))), requestID: "7")
        #expect(
            full.body
                == #"{"type":"about:blank","title":"Unprocessable Content","status":422,"#
                + #""detail":"The request has members that do not fit.","requestId":"7","#
                + #""errors":[{"pointer":"/a~1b~0c/3","detail":"is required"},"#
                + #"{"pointer":"","detail":"must be an object"}]}"#)
        #expect(full.headers[.contentType] == "application/problem+json")
        #expect(full.headers[.cacheControl] == "no-store")
    }

    @Test(
        "a hundred faults are listed, and the others are counted",
        arguments: [(1, 1, nil), (100, 100, nil), (101, 100, 1), (1_000_000, 100, 999_900)] as [(Int, Int, Int64?)])
    func bounded(_ faults: Int, _ listed: Int, _ omitted: Int64?) async throws {
        let fields = (0..<faults).map { FieldProblem(JSONPointer.root.appending($0), "must be a string") }
        let told = try await answer(Problem(try #require(BodyProblems(fields))))
        #expect(told.pointers == (0..<listed).map { "/\($0)" })
        guard case .number(let number) = told.json["errorsOmitted"] else {
            #expect(omitted == nil)
            return
        }
        #expect(number.int64 == omitted)
    }

    @Test("what a client sent stands nowhere in a problem, and what a program wrote stands as text")
    func escaped() async throws {
        let problem = try await answer(Problem(query: "a\"}\n<b>", "unknown member"))
        #expect(problem.json != .null && problem.pointers == ["/a\"}\n<b>"])
    }

    /// Each error that handlers throw, as it is answered.
    private static func errors() throws -> [(error: any Error, status: Int, detail: String)] {
        let acme = try OrganizationID("acme")
        return [
            (JSONError.duplicateMember(.root.appending("a")), 422, "The request has members that do not fit."),
            (NIOTooManyBytesError(maxBytes: 1), 413, "The body is larger than 16 MiB."),
            (StorageError.full, 503, "The store cannot be asked or written right now."),
            (CheckpointArchiveFailure(isTransient: false, description: "/data"), 503, "The store cannot be asked"),
            (LedgerInconsistency(acme, .changed(3)), 503, "it takes no entries and no recipient is tracked: entry 3"),
            (UnreadableMessage(), 503, "its ledger is closed"), (StaleSnapshot(), 503, "is being erased"),
            (TrackingIDError.expiryOutOfRange, 503, "set the clock"),
            (BackupError.underWay, 409, "A backup is being made already."),
            (BackupError.cannotWrite, 503, "The folder for backups cannot be written"),
            (CancellationError(), 503, "The service is being stopped."),
            (IdempotencyKeyTaken(), 409, "is being worked on"),
            (RequestRefusal.stillRunning, 409, "is being worked on"),
            (RequestRefusal.notFound, 404, "There is nothing here under this name."),
            (RequestRefusal.keyDeleted, 401, "Nothing more was stored or is answered."),
            (RequestRefusal.idempotencyKeyReused, 422, "was used for a request with another body"),
            (RequestRefusal.overQuota(requestsPerMinute: 60, retryAfterSeconds: 7), 429, "which is 60, is used up"),
            (HTTPError(.notFound), 404, "There is nothing here under this name."),
            (HTTPError(.expectationFailed), 417, "Expectation Failed"),
            (HTTPError(.badRequest, message: "no"), 400, "no"),
            (Unforeseen(), 500, "Something went wrong in the service."),
        ]
    }

    private struct Unforeseen: Error, CustomStringConvertible { let description = "ana@example.com" }

    @Test("every error has its status, and those that pass say when to come again")
    func errors() throws {
        for (error, status, detail) in try Self.errors() {
            let problem = Problem.reporting(error, to: logger)
            #expect(problem.status.code == status, "\(error)")
            #expect(problem.detail.contains(detail), "\(error): \(problem.detail)")
            if status == 503 { #expect(problem.headers[.retryAfter] == "2", "\(error)") }
            // A client with an Idempotency-Key tells by it whether to ask again.
            if status == 409 {
                #expect(problem.headers[.retryAfter] == (detail == "is being worked on" ? "1" : nil), "\(error)")
            }
        }
        let quota = Problem.reporting(
            RequestRefusal.overQuota(requestsPerMinute: 60, retryAfterSeconds: 7), to: logger)
        #expect(quota.headers[.retryAfter] == "7")
    }

    @Test("a failing store and an unexpected error are logged, the latter by its type alone, and nothing else is")
    func logged() throws {
        for (error, _, _) in try Self.errors() { _ = Problem.reporting(error, to: logger) }
        #expect(
            log.all == [
                "storage failed error=the disk is full", "storage failed error=/data",
                "unexpected error type=Unforeseen",
            ])
    }
}
