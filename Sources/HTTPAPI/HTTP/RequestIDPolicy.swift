import HTTPTypes
import Hummingbird
import Logging

/// Where the id of a request is told.
package enum RequestIDPolicy: Sendable {
    /// In the log, in the header `X-Request-Id` of the answer and in its problem document. A client's own id is used,
    /// and its trace is logged. For the private listener, whose clients quote the id to the operator.
    case answered
    /// Only in the log, and always an id that the service made. For the public listener: no text from unknown clients
    /// reaches the log, and the answers to two people do not differ.
    case logged

    func id(of headers: HTTPFields) -> HTTPRequestID {
        switch self {
        case .answered: HTTPRequestID(of: headers) ?? HTTPRequestID()
        case .logged: HTTPRequestID()
        }
    }

    func trace(of headers: HTTPFields) -> TraceID? {
        switch self {
        case .answered: TraceID(of: headers)
        case .logged: nil
        }
    }

    /// `id` if answers tell it.
    func told(_ id: String?) -> String? {
        switch self {
        case .answered: id
        case .logged: nil
        }
    }
}

extension Logger {
    /// Hummingbird's name for the id of a request. The lines of the log call it `request`.
    private static let requestKey = "hb.request.id"

    /// A logger that adds the request and its trace to every line.
    func of(_ id: HTTPRequestID, _ trace: TraceID?) -> Logger {
        var logger = self
        logger[metadataKey: Self.requestKey] = .string(id.description)
        if let trace { logger[metadataKey: "trace"] = .string(trace.description) }
        return logger
    }

    /// The id of this logger's request.
    var requestID: String? { self[metadataKey: Self.requestKey]?.description }
}
