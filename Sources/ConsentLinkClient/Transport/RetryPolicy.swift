/// How often a call is tried again, and how long it waits before. After which errors it is tried again depends on what
/// doing it twice does:
///
/// - Every call: after 429, when nothing was done.
/// - If doing it twice does no more than doing it once: after 503, when the service cannot answer just now. What was
///   asked for may have been done all the same.
/// - If it reads, sets something to a value, or has an `Idempotency-Key`: after a lost connection and after 500, 502 and
///   504, too. With the key also after 409 while an earlier try is still being worked on.
///
/// ``OrganizationAPI/erase(_:)`` and what deletes something are of the second kind: the next try may find that there is
/// nothing left. What makes something new each time is of the first: keys, organizations, endpoints and their secrets,
/// signing keys, backups, test events and sign-in links. Its documentation says what to look at after an error.
///
/// ```swift
/// let api = try ConsentLinkAPI("https://consentlink.internal", key: key, retries: RetryPolicy(attempts: 8))
/// ```
public struct RetryPolicy: Sendable, Hashable {
    /// Including the first; at least 1.
    public var attempts: Int
    /// The longest pause. A service that asks for a longer one (`Retry-After`) is not asked again: the call throws its
    /// refusal, whose ``Problem/retryAfter`` says when to come back.
    public var longestPause: Duration

    private static let firstPause = Duration.milliseconds(200)

    public init(attempts: Int = 5, longestPause: Duration = .seconds(30)) {
        self.attempts = attempts
        self.longestPause = longestPause
    }

    /// One try and no more.
    public static let never = RetryPolicy(attempts: 1)

    /// The pause doubles with each try. Half of it is chance, so that callers that failed together do not come back
    /// together. It is never shorter than `retryAfter`.
    ///
    /// - Parameters:
    ///   - attempt: the one that failed, from 1.
    ///   - chance: from 0 to 1.
    /// - Returns: `nil` when there is no further try.
    func pause(after attempt: Int, retryAfter: Duration?, chance: Double) -> Duration? {
        guard attempt < attempts else { return nil }
        let least = retryAfter ?? .zero
        guard least <= longestPause else { return nil }
        let doubled = Self.firstPause * (1 << min(attempt - 1, 16))
        let half = min(doubled, longestPause) / 2
        return least + (retryAfter == nil ? half : .zero) + half * min(max(chance, 0), 1)
    }
}
