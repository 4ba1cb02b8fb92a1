package import JSON

/// Why the service refused a request, or a line of one: a problem document (RFC 9457).
///
/// The service puts no recipient and no key into it. If the answer is no problem document, for example one of a proxy,
/// only the status is set.
public struct Problem: Sendable, Hashable, CustomStringConvertible {
    /// A member that does not fit.
    public struct Place: Sendable, Hashable {
        /// A JSON pointer (RFC 6901) into the body, or the name of a member of the query; such as `/message/link`.
        public let pointer: String
        public let detail: String
    }

    /// The status code of HTTP.
    public let status: Int
    public let title: String?
    /// What is wrong, as a sentence.
    public let detail: String?
    /// The operator finds the request in the log by it.
    public let requestID: String?
    /// The first hundred members that do not fit.
    public let errors: [Place]
    /// How many more members do not fit.
    public let errorsOmitted: Int
    /// How long to wait before the next try, if the service says so; at most 366 days.
    public let retryAfter: Duration?
    /// Whether an earlier try of the call may have been carried out, or is still being processed.
    var isInDoubt = false

    /// Such as `422: The request has members that do not fit. (request 1f3a…)`, and a line for each of ``errors``.
    public var description: String {
        let request = requestID.map { " (request \($0))" } ?? ""
        let places = errors.map { "\n  \($0.pointer) \($0.detail)" }
        let omitted = errorsOmitted > 0 ? "\n  and \(errorsOmitted) more" : ""
        return "\(status): \(detail ?? title ?? "the service gives no reason")\(request)\(places.joined())\(omitted)"
    }
}

extension Problem {
    /// - Parameters:
    ///   - status: the status of the answer.
    ///   - document: the content of the answer; `nil` if it is not JSON.
    package init(status: Int, _ document: JSONValue?, requestID: String? = nil, retryAfter: Duration? = nil) {
        self.init(
            status: status, title: document?["title"]?.string, detail: document?["detail"]?.string,
            requestID: document?["requestId"]?.string ?? requestID,
            errors: (document?["errors"]?.elements ?? []).map { error in
                Place(pointer: error["pointer"]?.string ?? "", detail: error["detail"]?.string ?? "")
            },
            errorsOmitted: document?["errorsOmitted"]?.int ?? 0, retryAfter: retryAfter)
    }

    /// The refusal of a line, whose status is in the document.
    package init(line error: JSONValue?) {
        self.init(status: error?["status"]?.int ?? 0, error)
    }

    package init(status: Int, detail: String) {
        self.init(
            status: status, title: nil, detail: detail, requestID: nil, errors: [], errorsOmitted: 0, retryAfter: nil)
    }
}
