/// How often a call is tried again, and how long it waits before.
///
/// A call is tried again when the service says that it cannot answer just now (503, 429), or that an earlier try with
/// the same `Idempotency-Key` is still being worked on (409). It is tried again after a lost connection and after 500,
/// 502 and 504, too, if doing it twice does no more than doing it once: reading, and what has an `Idempotency-Key`.
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
