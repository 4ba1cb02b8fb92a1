package import NIOHTTP1

/// What is asked of the service.
package struct APIRequest: Sendable {
    /// When a request may be sent again. The service may have done what was asked for although the connection broke, and
    /// also although it answered 503: a transaction whose end it could not learn may have been committed.
    package enum Repetition: Sendable {
        /// Doing it twice does no more than doing it once, and the answers are as good: also after a lost connection,
        /// 503, and the faults 500, 502 and 504.
        case always
        /// Doing it twice does no more than doing it once, but the second answer tells of what was left to do: 404 for
        /// what is deleted already. After 503, but not where it is as likely that it was done.
        case whenUnavailable
        /// Doing it twice does more than doing it once: only after 429, before which nothing was done.
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
    /// Of the header, with its quotes.
    package var idempotencyKey: String?
    /// Whether 409 may be final, and not only say that an earlier try with the key is being worked on. Only a 409 with
    /// `Retry-After` is asked again then.
    var hasFinalConflicts = false
    /// The one status with which the service does this; `nil` where the answer's document shows that it was the service.
    var onlyStatus: HTTPResponseStatus?
    /// How long one answer may take.
    package var patience: Duration

    package init(
        _ method: HTTPMethod, _ path: String, body: [UInt8]? = nil, accept: String? = nil,
        repetition: Repetition = .whenNothingWasDone, idempotencyKey: String? = nil, patience: Duration = .seconds(60)
    ) {
        self.method = method
        self.path = path
        self.body = body
        self.accept = accept
        self.repetition = idempotencyKey == nil ? repetition : .always
        self.idempotencyKey = idempotencyKey
        self.patience = patience
    }

    /// Of a call whose answer has no document: only its status says that it was the service that answered.
    package var withoutDocument: APIRequest {
        var request = self
        request.onlyStatus = .noContent
        return request
    }
}

/// What the service answered, with a status from 200 to 299.
package struct APIAnswer: Sendable {
    package let status: Int
    package let bytes: [UInt8]
}
