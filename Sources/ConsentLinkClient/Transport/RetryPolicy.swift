/// How often a call is retried, and how long it waits before each retry. The errors after which it is retried depend on
/// the effect of a repetition:
///
/// - Every call: after 429, and if no connection was established, because nothing was done.
/// - If repeating it has no further effect: after 503, because the service cannot answer now. The request may have been
///   carried out nevertheless.
/// - If it reads, sets something to a value, or has an `Idempotency-Key`: also after a lost connection and after 500,
///   502 and 504. With the key also after 409 while an earlier try is still being processed.
///
/// ``OrganizationAPI/erase(_:)`` and calls that delete something are of the second kind: the retry may find that
/// nothing is left. Calls that make something new each time are of the first kind: keys, organizations, endpoints and
/// their secrets, signing keys, backups, test events and sign-in links. Their documentation says what to check after an
/// error.
///
/// ```swift
/// let api = try ConsentLinkAPI("https://consentlink.internal", key: key, retries: RetryPolicy(attempts: 8))
/// ```
public struct RetryPolicy: Sendable, Hashable {
    /// Including the first. With 1 or less nothing is retried.
    public var attempts: Int
    /// The longest pause. With zero a retry follows at once, with less nothing is retried. If the service asks for a
    /// longer one (`Retry-After`), the call is not retried: it throws the refusal, whose ``Problem/retryAfter`` says
    /// when to try again.
    public var maximumPause: Duration

    private static let firstPause = Duration.milliseconds(200)

    public init(attempts: Int = 5, maximumPause: Duration = .seconds(30)) {
        self.attempts = attempts
        self.maximumPause = maximumPause
    }

    /// One try and no retry.
    public static let never = RetryPolicy(attempts: 1)

    /// The pause doubles with each try. Half of it is random, so that callers that failed together do not retry
    /// together. It is never shorter than `retryAfter`.
    ///
    /// - Parameters:
    ///   - attempt: the number of the try that failed, from 1.
    ///   - chance: a random number from 0 to 1.
    /// - Returns: `nil` if there is no further try.
    func pause(after attempt: Int, retryAfter: Duration?, chance: Double) -> Duration? {
        guard attempt < attempts else { return nil }
        let least = retryAfter ?? .zero
        guard least <= maximumPause else { return nil }
        let doubled = Self.firstPause * (1 << min(attempt - 1, 16))
        let half = min(doubled, maximumPause) / 2
        return least + (retryAfter == nil ? half : .zero) + half * min(max(chance, 0), 1)
    }
}
