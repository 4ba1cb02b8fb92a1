/// Why a call has no answer.
///
/// A call throws this and, when its task is cancelled, `CancellationError`. No description has the key or a recipient.
///
/// ```swift
/// do {
///     try await acme.record([NewConsent(recipient: "ana@example.com", state: .given)])
/// } catch ConsentLinkError.refused(let problem) where problem.status == 422 {
///     print(problem.errors)
/// }
/// ```
public enum ConsentLinkError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The service, or what stands before it, answered that it does not. With a status below 500 this try has changed
    /// nothing. With 500 or more it may have done what it was asked for, and so may an earlier try whose answer was lost
    /// (``mayHaveBeenDone``).
    case refused(Problem)
    /// No connection came about, so the service was asked for nothing.
    case notConnected(reason: String)
    /// There was no answer. Nobody knows whether the service did what it was asked for.
    case unreachable(reason: String)
    /// An answer had begun and did not come to its end. What was asked for may have been done.
    case brokenOff(reason: String)
    /// What answered does not speak as this service does. What was asked for may have been done.
    case unexpectedAnswer(String)
    /// A value that cannot be sent, such as an id with a slash. Nothing was sent.
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

    /// Whether the service may have done what it was asked for, although there is no answer that says so. Of a call that
    /// was tried several times, whether any of the tries may have done it.
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

    /// The same after a try that may have done what was asked for.
    var withDoubt: Self {
        switch self {
        case .refused(var problem):
            problem.isInDoubt = true
            return .refused(problem)
        case .notConnected(let reason): return .unreachable(reason: reason)
        case .unreachable, .brokenOff, .unexpectedAnswer, .invalidArgument: return self
        }
    }

    /// The service's refusal, where it is one.
    public var problem: Problem? {
        guard case .refused(let problem) = self else { return nil }
        return problem
    }
}
