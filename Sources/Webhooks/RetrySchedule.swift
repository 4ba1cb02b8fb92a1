/// The pauses between consecutive failures, in milliseconds: as Standard Webhooks recommends, over about three days,
/// and then once a day.
package enum RetrySchedule {
    private static let second: Int64 = 1000
    private static let minute = 60 * second
    private static let hour = 60 * minute

    /// After the first failure, the second, and so on; the first attempt is made at once.
    static let pauses: [Int64] = [
        5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour,
    ]

    /// An endpoint is disabled only after failures for so long.
    static let patience = 5 * 24 * hour
    /// And only after so many failures: while no relay runs, or when the clock goes ahead, days pass without an
    /// attempt. An endpoint that is always tried when it is due fails more often than that in five days, unless it asks
    /// for pauses.
    static let leastFailures = 8
    /// The longest pause that an endpoint can request by `Retry-After`.
    package static let longestWish = 24 * hour

    /// - Parameters:
    ///   - failures: the number of consecutive failures, at least 1.
    ///   - jitter: from -1 to 1. The pause is changed by at most a fifth, so that endpoints which failed together are
    ///     not tried together again.
    static func pause(after failures: Int, jitter: Double) -> Int64 {
        let pause = pauses[min(max(failures, 1), pauses.count) - 1]
        return pause + Int64(Double(pause) * 0.2 * min(max(jitter, -1), 1))
    }
}
