package import NIOHTTP1

/// What is asked of the service.
package struct APIRequest: Sendable {
    /// What may be done when nobody knows whether the service did it.
    package enum Repetition: Sendable {
        /// Doing it twice does no more than doing it once.
        case always
        /// Only when the service says that it has done nothing.
        case whenRefused
    }

    /// The media type of lines of JSON.
    static let lines = "application/x-ndjson"
    /// The media type of a table.
    static let table = "text/csv"

    package var method: HTTPMethod
    package var path: String
    package var body: [UInt8]?
    package var accept: String?
    package var repetition: Repetition
    /// Of the header, with its quotes.
    package var idempotencyKey: String?
    /// Whether 409 may be final, and not only say that an earlier try with the key is being worked on. Only a 409 with
    /// `Retry-After` is asked again then.
    var hasFinalConflicts = false
    /// How long one answer may take.
    package var patience: Duration

    package init(
        _ method: HTTPMethod, _ path: String, body: [UInt8]? = nil, accept: String? = nil,
        repetition: Repetition = .whenRefused, idempotencyKey: String? = nil, patience: Duration = .seconds(60)
    ) {
        self.method = method
        self.path = path
        self.body = body
        self.accept = accept
        self.repetition = idempotencyKey == nil ? repetition : .always
        self.idempotencyKey = idempotencyKey
        self.patience = patience
    }
}

/// What the service answered, with a status from 200 to 299.
package struct APIAnswer: Sendable {
    package let status: Int
    package let bytes: [UInt8]
}
