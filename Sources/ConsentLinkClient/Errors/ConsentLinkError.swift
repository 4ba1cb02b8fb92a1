/// Why a call has no answer.
///
/// A call throws this and, when its task is cancelled, `CancellationError`: the request may have been carried out then,
/// too. No description has the key or a recipient.
///
/// ```swift
/// do {
///     try await acme.record([NewConsent(recipient: "ana@example.com", state: .given)])
/// } catch ConsentLinkError.refused(let problem) where problem.status == 422 {
///     print(problem.errors)
/// }
/// ```
public enum ConsentLinkError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The service, or a proxy before it, refused the request. With a status below 500 this try has changed nothing.
    /// With 500 or more it may have done what was asked for: a proxy that lost the service's answer also answers 502,
    /// 503 or 504. So may an earlier try whose answer was lost, and lines of a stream before a refusal that ends it
    /// (``mayHaveBeenDone``).
    case refused(Problem)
    /// No connection was established, on this try or an earlier one, so the service did not get the request.
    case notConnected(reason: String)
    /// There was no answer: the connection broke, or the time-out passed. It is unknown whether the service carried out
    /// the request.
    case unreachable(reason: String)
    /// An answer began and did not end. The request may have been carried out.
    case brokenOff(reason: String)
    /// The answer is not one of this service. The request may have been carried out.
    case unexpectedAnswer(String)
    /// A value that cannot be sent, such as an id with a slash. Nothing was sent; of a stream, nothing from that line
    /// on.
    case invalidArgument(String)

    public var description: String {
        switch self {
        case .refused(let problem): "the service refused: \(problem)"
        case .notConnected(let reason), .unreachable(let reason): "the service cannot be reached: \(reason)"
        case .brokenOff(let reason): "the answer broke off: \(reason)"
        case .unexpectedAnswer(let what): "the answer is not one of this service: \(what)"
        case .invalidArgument(let what): what
        }
    }

    /// Whether the service may have carried out the request, although no answer says so. For a call that was tried
    /// several times: whether any of the tries may have been carried out. For a stream of lines: whether lines without an
    /// answer may have been; the answered ones were.
    ///
    /// ```swift
    /// } catch let error as ConsentLinkError where error.mayHaveBeenDone {
    ///     for try await key in acme.keys() where key.name == name { try await acme.deleteKey(key.id) }
    /// }
    /// ```
    public var mayHaveBeenDone: Bool {
        switch self {
        case .refused(let problem): problem.status >= 500 || problem.isInDoubt
        case .unreachable, .brokenOff, .unexpectedAnswer: true
        case .notConnected, .invalidArgument: false
        }
    }

    /// The same error after an earlier try that may have been carried out.
    var withDoubt: Self {
        switch self {
        case .refused(var problem):
            problem.isInDoubt = true
            return .refused(problem)
        case .notConnected(let reason): return .unreachable(reason: reason)
        case .unreachable, .brokenOff, .unexpectedAnswer, .invalidArgument: return self
        }
    }

    /// The service's refusal, if this error is one.
    public var problem: Problem? {
        guard case .refused(let problem) = self else { return nil }
        return problem
    }
}
