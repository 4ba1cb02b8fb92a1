import HTTPTypes
import Hummingbird
import JSON
import NIOCore

/// An answer that says what went wrong (RFC 9457). It repeats nothing from the request but the names of members.
struct Problem: Error {
    let status: HTTPResponse.Status
    let detail: String
    /// The most problems that are listed; the others are only counted, because a body can have a million.
    fileprivate static let maximumErrors = 100

    var errors: [FieldProblem] = []
    var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ detail: String) {
        self.status = status
        self.detail = detail
    }

    /// A body that does not fit.
    init(_ problems: BodyProblems) {
        self.init(.unprocessableContent, "The request has members that do not fit.")
        errors = problems.problems
    }

    /// A member of the query that does not fit.
    init(query name: String, _ detail: String) {
        self.init(.unprocessableContent, "The query has members that do not fit.")
        errors = [FieldProblem(JSONPointer.root.appending(name), detail)]
    }

    /// A body where the operation takes none.
    static let bodyNotTaken: Problem = {
        var problem = Problem(
            .unprocessableContent, "This operation takes no body. What it takes is in its path and its query.")
        problem.errors = [FieldProblem(.root, "must be absent, {}, [] or null")]
        return problem
    }()

    static let notFound = Problem(.notFound, "There is nothing here under this name.")

    static let unauthorized: Problem = {
        var problem = Problem(.unauthorized, "A key of this service is needed: Authorization: Bearer clk_…")
        problem.headers[.wwwAuthenticate] = "Bearer"
        return problem
    }()

    /// In seconds, for the header field `Retry-After`.
    static let retryDelay = "2"

    static func unavailable(_ detail: String) -> Problem {
        var problem = Problem(.serviceUnavailable, detail)
        problem.headers[.retryAfter] = retryDelay
        return problem
    }
}

extension Problem {
    /// - Parameter requestID: the id by which the operator finds the request in the log; `nil` if answers do not tell
    ///   it.
    func response(requestID: String?) -> Response {
        var writer = JSONWriter()
        writer.problem(self, requestID: requestID)
        return Response(
            status: status, headers: headers + .protected("application/problem+json"),
            body: .init(byteBuffer: ByteBuffer(bytes: writer.bytes)))
    }
}

extension JSONWriter {
    /// A problem document, as a body or within a line.
    mutating func problem(_ problem: Problem, requestID: String? = nil) {
        object { writer in
            writer.member("type", "about:blank")
            writer.member("title", problem.status.reasonPhrase)
            writer.member("status", problem.status.code)
            writer.member("detail", problem.detail)
            if let requestID { writer.member("requestId", requestID) }
            guard !problem.errors.isEmpty else { return }
            writer.objects("errors", problem.errors.prefix(Problem.maximumErrors)) { error, writer in
                writer.member("pointer", error.pointer.description)
                writer.member("detail", error.detail)
            }
            let omitted = problem.errors.count - Problem.maximumErrors
            if omitted > 0 { writer.member("errorsOmitted", omitted) }
        }
    }
}
