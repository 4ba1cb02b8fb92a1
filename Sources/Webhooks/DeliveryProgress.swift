package import Identifiers

/// How deliveries to an endpoint go: a state machine over outcomes and times.
package struct DeliveryProgress: Hashable, Sendable {
    /// How many attempts failed since the last one that did not.
    package private(set) var failures: Int
    /// When the first of them was; `nil` when there is none.
    package private(set) var failingSince: Timestamp?
    /// Before it nothing is sent.
    package private(set) var dueAt: Timestamp

    package init(failures: Int = 0, failingSince: Timestamp? = nil, dueAt: Timestamp) {
        self.failures = failures
        self.failingSince = failingSince
        self.dueAt = dueAt
    }

    /// What follows from an outcome.
    package enum Verdict: Hashable, Sendable {
        /// It was delivered: the next event is due.
        case goOn
        /// The same event again, once it is due.
        case again
        /// The endpoint gets nothing any more until its owner enables it.
        case stop(EndpointState)
    }

    /// Notes an outcome.
    /// - Parameters:
    ///   - now: when it came.
    ///   - jitter: from -1 to 1.
    package mutating func note(_ outcome: DeliveryOutcome, at now: Timestamp, jitter: Double) -> Verdict {
        guard !outcome.isDelivered else {
            self = DeliveryProgress(dueAt: now)
            return .goOn
        }
        let since = failingSince ?? now
        failures += 1
        failingSince = since
        guard !outcome.isGone else { return .stop(.gone) }
        let failing = now.millisecondsSince1970 - since.millisecondsSince1970
        guard failing < RetrySchedule.patience || failures < RetrySchedule.leastFailures else {
            return .stop(.failing)
        }
        var pause = RetrySchedule.pause(after: failures, jitter: jitter)
        if case .answered(_, let wish?) = outcome {
            pause = max(pause, min(Int64(max(wish, 0)) * 1000, RetrySchedule.longestWish))
        }
        dueAt = now.advanced(byMilliseconds: pause)
        return .again
    }

    /// Its owner wants the next attempt now: failures before it count no more.
    package mutating func begin(at now: Timestamp) { self = DeliveryProgress(dueAt: now) }

    /// The next attempt is made now, and what failed before still counts.
    package mutating func hurry(at now: Timestamp) { dueAt = min(dueAt, now) }
}
