package import AsyncHTTPClient
import Foundation
import JSON
import NIOCore
import NIOHTTP1

/// Sends requests to one service with one key, and retries them if the policy allows it.
package struct Transport: Sendable {
    /// Without a slash at the end.
    package let base: String
    let credential: Credential
    let http: HTTPClient
    let retries: RetryPolicy
    /// Why the caller looks at recipients, percent-encoded.
    var accessReason: String?
    /// How long a call may take with all its tries; `nil` is as long as each try may take.
    var limit: Duration?
    /// How long it waits for the next piece of a stream. The service sends what it has read page by page.
    var silence: Duration = .seconds(300)
    /// How long it waits at most for the document of a refusal.
    var longestProblem: Duration = .seconds(5)
    /// The longest answer that is read whole, in bytes.
    var maximumAnswerSize = 1 << 30
    /// Gets each try before it is made; a test replaces it.
    var note: @Sendable (APIRequest) -> Void = { _ in }
    /// Waits; a test replaces it.
    var pause: @Sendable (Duration) async throws -> Void = { try await $0.wait() }

    private static let maximumProblemSize = 1 << 20
    private static let conflict = 409
    private static let tooManyRequests = 429
    private static let unavailable = 503
    private static let lostBehindProxies: Set<Int> = [500, 502, 504]

    /// - Throws: ``ConsentLinkError`` or `CancellationError`.
    package func answer(to request: APIRequest) async throws -> APIResponse {
        try await repeating(request) { request in
            try await withTimeLimit(request.patience) {
                let response = try await open(request)
                if let status = request.onlyStatus { try response.mustHave(status) }
                if let type = request.accept {
                    try response.mustBe(type)
                    try response.mustShowItsEnd()
                } else {
                    try response.mustBeNoPage()
                }
                var body = try await response.body.collect(upTo: maximumAnswerSize)
                // A body ends without an error if its reader is cancelled.
                try Task.checkCancellation()
                return APIResponse(
                    status: Int(response.status.code), bytes: body.readBytes(length: body.readableBytes) ?? [])
            }
        }
    }

    /// The caller reads the answer's body. An answer that has begun is not requested again.
    package func stream(_ request: APIRequest) async throws -> HTTPClientResponse {
        try await repeating(request) { request in
            let response = try await open(request)
            try response.mustHave(.ok)
            if let type = request.accept { try response.mustBe(type) }
            try response.mustShowItsEnd()
            return response
        }
    }

    /// Sends lines while the answer is read.
    func exchange(_ path: String, _ lines: OutgoingBody, patience: Duration) async throws -> HTTPClientResponse {
        var request = head(.POST, path)
        request.headers.add(name: "Content-Type", value: APIRequest.lines)
        request.body = lines.body
        return try await http.execute(request, timeout: .nanoseconds(patience.wholeNanoseconds))
    }

    /// - Parameter work: makes one try; its request has the patience of this try.
    private func repeating<Answer>(
        _ request: APIRequest, _ work: (APIRequest) async throws -> Answer
    ) async throws -> Answer {
        let (begin, time) = (ContinuousClock.now, CallTime(of: request, limit: limit))
        var attempt = 1
        var mayBeDone = false
        while true {
            do {
                var request = request
                request.patience = time.patience(after: begin.duration(to: .now))
                note(request)
                return try await work(request)
            } catch {
                var failure = try Self.failure(error)
                mayBeDone = mayBeDone || failure.mayHaveBeenDone || Self.isStillRunning(request, failure)
                if mayBeDone { failure = failure.withDoubt }
                guard Self.mayRepeat(request, after: failure),
                    let pause = retries.pause(
                        after: attempt, retryAfter: failure.problem?.retryAfter, chance: Double.random(in: 0...1)),
                    time.allows(pause, after: begin.duration(to: .now))
                else { throw failure }
                try await self.pause(pause)
                attempt += 1
            }
        }
    }

    private static func mayRepeat(_ request: APIRequest, after failure: ConsentLinkError) -> Bool {
        switch failure {
        case .refused(let problem) where problem.status == tooManyRequests: true
        case .refused(let problem) where problem.status == unavailable: request.repetition != .whenNothingWasDone
        case .refused(let problem) where problem.status == conflict: isStillRunning(request, failure)
        case .refused(let problem):
            lostBehindProxies.contains(problem.status) && request.repetition == .always
        // An earlier try that may have been carried out makes it `unreachable`.
        case .notConnected: true
        case .unreachable: request.repetition == .always
        case .brokenOff, .unexpectedAnswer, .invalidArgument: false
        }
    }

    /// Whether the answer says that an earlier try with the same key is being processed.
    private static func isStillRunning(_ request: APIRequest, _ failure: ConsentLinkError) -> Bool {
        guard let problem = failure.problem, problem.status == conflict, request.idempotencyKey != nil else {
            return false
        }
        return problem.retryAfter != nil || !request.hasFinalConflicts
    }

    private static func failure(_ error: any Error) throws -> ConsentLinkError {
        if let error = error as? ConsentLinkError { return error }
        if error is CancellationError || Task.isCancelled { throw CancellationError() }
        if error is NIOTooManyBytesError { return .unexpectedAnswer("it is too long") }
        return ConsentLinkError(connection: error)
    }

    /// - Returns: an answer that is no refusal; the caller reads its body.
    private func open(_ request: APIRequest) async throws -> HTTPClientResponse {
        var sent = head(request.method, request.path)
        if let accept = request.accept { sent.headers.add(name: "Accept", value: accept) }
        if let key = request.idempotencyKey { sent.headers.add(name: "Idempotency-Key", value: key) }
        if let body = request.body {
            sent.headers.add(name: "Content-Type", value: "application/json")
            sent.body = .bytes(body)
        }
        let begin = ContinuousClock.now
        let response = try await http.execute(sent, timeout: .nanoseconds(request.patience.wholeNanoseconds))
        guard (200..<300).contains(response.status.code) else {
            let rest = request.patience - begin.duration(to: .now)
            throw ConsentLinkError.refused(try await problem(response, patience: rest))
        }
        return response
    }

    /// Gives the bytes of the key to `body`, which must keep nothing that tells them.
    package func withKey<Result>(_ body: ([UInt8]) -> Result) -> Result { credential.withKey(body) }

    func head(_ method: HTTPMethod, _ path: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        request.headers.add(name: "Authorization", value: credential.header)
        if let accessReason { request.headers.add(name: "Access-Reason", value: accessReason) }
        return request
    }

    /// The content of a refusal. Waits for its document a few seconds, and no longer than half of `patience`: the
    /// status says enough without it, and is returned before `patience` ends.
    func problem(_ response: HTTPClientResponse, patience: Duration) async throws -> Problem {
        var document: JSONValue?
        do {
            var body = try await withTimeLimit(min(max(patience, .zero) / 2, longestProblem)) {
                try await response.body.collect(upTo: Self.maximumProblemSize)
            }
            // A body ends without an error if its reader is cancelled.
            try Task.checkCancellation()
            document = try? JSONValue.parse(body.readBytes(length: body.readableBytes) ?? [])
        } catch {
            // The page of a proxy was too long, the service sent nothing more, or the connection broke.
            try Task.checkCancellation()
        }
        return Problem(
            status: Int(response.status.code), document, requestID: response.headers.first(name: "X-Request-Id"),
            retryAfter: Self.retryAfter(response)?.duration)
    }

    /// A moment is of the clock of the service, or of the proxy that answers: this machine's may be another.
    private static func retryAfter(_ response: HTTPClientResponse) -> RetryAfter? {
        guard let value = response.headers.first(name: "Retry-After") else { return nil }
        return RetryAfter(value, now: response.headers.first(name: "Date").flatMap(RetryAfter.moment) ?? Date())
    }
}

extension Transport: CustomReflectable {
    /// The HTTP client is left out: it holds the current requests, whose headers contain the key.
    package var customMirror: Mirror { Mirror(self, children: ["base": base, "retries": retries]) }
}

/// A body that is still being made while it is sent.
struct OutgoingBody {
    let body: HTTPClientRequest.Body

    init<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) where Pieces.Element == ByteBuffer {
        body = .stream(pieces, length: .unknown)
    }
}
