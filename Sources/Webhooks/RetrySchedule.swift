import Identifiers

/// The pauses between consecutive failures. From the pause of 5 minutes on they are those that Standard Webhooks
/// recommends, over about three days, and then one a day. The pauses before it are short, because each event waits for
/// the one before it: an endpoint that refuses an event now and then must keep up with the others.
package enum RetrySchedule {
    /// After the first failure, the second, and so on; the first attempt is made at once.
    static let pauses: [Duration] = [
        .seconds(1), .seconds(5), .seconds(15), .minutes(1), .minutes(5), .minutes(30), .hours(2), .hours(5),
        .hours(10), .hours(14), .hours(20), .hours(24),
    ]

    /// An endpoint is disabled only if its attempts have failed for at least this long.
    static let failurePeriod = Duration.days(5)
    /// And only after at least this number of failures: while no relay runs, or when the clock goes ahead, days pass
    /// without an attempt. So many failures take more than a day of attempts. An endpoint that is always tried when it
    /// is due fails more often than that in five days, unless it asks for pauses.
    static let minimumFailureCount = 11
    /// The longest pause that an endpoint can request by `Retry-After`.
    package static let maximumRetryAfter = Duration.hours(24)

    /// No attempt is due later than this after the one before: the last pause, with the greatest change.
    static let longestPause = Duration.minutes(24 * 72)

    /// - Parameters:
    ///   - failures: the number of consecutive failures, at least 1.
    ///   - jitter: from -1 to 1. The pause is changed by at most a fifth, so that endpoints which failed together are
    ///     not tried together again.
    static func pause(after failures: Int, jitter: Double) -> Duration {
        let pause = pauses[min(max(failures, 1), pauses.count) - 1]
        let change = Double(pause.wholeMilliseconds) * 0.2 * min(max(jitter, -1), 1)
        return pause + .milliseconds(Int64(change))
    }
}
