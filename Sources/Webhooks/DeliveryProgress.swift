package import Identifiers

/// The state of deliveries to an endpoint: a state machine over outcomes and times.
package struct DeliveryProgress: Hashable, Sendable {
    /// The number of failed attempts since the last successful one.
    package private(set) var failures: Int
    /// The time of the first of these failures; `nil` if there is none.
    package private(set) var failingSince: Timestamp?
    /// Nothing is sent before this time.
    package private(set) var dueAt: Timestamp

    package init(failures: Int = 0, failingSince: Timestamp? = nil, dueAt: Timestamp) {
        self.failures = failures
        self.failingSince = failingSince
        self.dueAt = dueAt
    }

    /// The consequence of an outcome.
    package enum Verdict: Hashable, Sendable {
        /// It was delivered: the next event is due.
        case goOn
        /// The same event must be sent again when it is due.
        case again
        /// The endpoint gets no more events until its owner enables it.
        case stop(EndpointState)
    }

    /// Notes an outcome.
    /// - Parameters:
    ///   - now: the time of the outcome.
    ///   - jitter: from -1 to 1.
    package mutating func apply(_ outcome: DeliveryOutcome, at now: Timestamp, jitter: Double) -> Verdict {
        guard !outcome.isDelivered else {
            self = DeliveryProgress(dueAt: now)
            return .goOn
        }
        let since = failingSince ?? now
        failures += 1
        failingSince = since
        guard !outcome.isGone else { return .stop(.gone) }
        guard now < since.advanced(by: RetrySchedule.failurePeriod) || failures < RetrySchedule.minimumFailureCount
        else {
            return .stop(.failing)
        }
        var pause = RetrySchedule.pause(after: failures, jitter: jitter)
        if case .answered(_, let wish?) = outcome {
            pause = max(pause, min(.seconds(max(wish, 0)), RetrySchedule.maximumRetryAfter))
        }
        dueAt = now.advanced(by: pause)
        return .again
    }

    /// The same with times that a clock can have stored by `now`. An attempt that is due later than that is due now:
    /// the clock was ahead when it was stored, and no event must wait for as long.
    package func bounded(at now: Timestamp) -> DeliveryProgress {
        var bounded = self
        if !(dueAt - RetrySchedule.longestPause).isPossible(at: now) { bounded.dueAt = now }
        if let failingSince, !failingSince.isPossible(at: now) { bounded.failingSince = now }
        return bounded
    }

    /// Makes the next attempt due now, on request of the endpoint's owner, and forgets earlier failures.
    package mutating func begin(at now: Timestamp) { self = DeliveryProgress(dueAt: now) }

    /// Makes the next attempt due now; earlier failures still count.
    package mutating func retryNow(at now: Timestamp) { dueAt = min(dueAt, now) }
}
