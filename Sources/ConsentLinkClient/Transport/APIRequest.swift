package import NIOHTTP1

/// A request to the service.
package struct APIRequest: Sendable {
    /// When a request may be sent again. The service may have carried it out although the connection broke, and even
    /// although it answered 503: a transaction may have been committed although the service could not learn its result.
    /// Without a connection nothing was sent, so every request may be sent again.
    package enum Repetition: Sendable {
        /// Repeating it has no further effect, and the answers are equally good: also after a lost connection, 503, and
        /// the faults 500, 502 and 504.
        case always
        /// Repeating it has no further effect, but the second answer reports only what was left to do: 404 for
        /// something that is deleted already. Repeated after 503, but not after errors for which it is equally likely
        /// that it was carried out.
        case whenUnavailable
        /// Repeating it has a further effect: it is repeated only when nothing was done: after 429, and without a
        /// connection.
        case whenNothingWasDone
    }

    /// The media type of lines of JSON.
    static let lines = "application/x-ndjson"
    /// The media type of a table.
    static let table = "text/csv"

    package var method: HTTPMethod
    package var path: String
    package var body: [UInt8]?
    package var accept: String?
    var repetition: Repetition
    /// The value of the header, with its quotes.
    package var idempotencyKey: String?
    /// Whether 409 may be final, and not only mean that an earlier try with the key is being processed. Only a 409 with
    /// `Retry-After` is then retried.
    var hasFinalConflicts = false
    /// The only valid status of the answer; `nil` if the document in the answer shows that the service answered.
    var onlyStatus: HTTPResponseStatus?
    /// How long one try may take, if the caller sets no limit.
    package var patience: Duration
    /// How long the service is asked to wait before it answers. A limit of the caller counts from then on.
    var wait: Duration = .zero

    package init(
        _ method: HTTPMethod, _ path: String, body: [UInt8]? = nil, accept: String? = nil,
        repetition: Repetition = .whenNothingWasDone, idempotencyKey: String? = nil,
        patience: Duration = Patience.ordinary
    ) {
        self.method = method
        self.path = path
        self.body = body
        self.accept = accept
        self.repetition = idempotencyKey == nil ? repetition : .always
        self.idempotencyKey = idempotencyKey
        self.patience = patience
    }

    /// The request of a call whose answer has no document: only its status shows that the service answered.
    package var withoutDocument: APIRequest {
        var request = self
        request.onlyStatus = .noContent
        return request
    }
}

/// The service's answer, with a status from 200 to 299.
package struct APIResponse: Sendable {
    package let status: Int
    package let bytes: [UInt8]
}
