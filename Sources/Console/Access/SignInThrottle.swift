import Identifiers
import Synchronization

/// Slows down failed sign-ins, by their address and by the key that they try. A failed attempt during a wait does not
/// count.
///
/// A correct key is never delayed by the wait of its address. Behind a front all people have one address, and one of
/// them must not exclude the others. Keys and links have 256 random bits, so any number of guesses fails; an account is
/// proved to the provider.
final class SignInThrottle: Sendable {
    /// The number of attempts that may fail in a row before the next one must wait.
    static let freeFailures = 5
    /// The first wait, in milliseconds. Each failure after it doubles it.
    static let firstWait: Int64 = 1_000
    static let maximumWait: Int64 = 60_000
    /// After this time without a failure, an address or a key starts again, in milliseconds.
    static let memory: Int64 = 15 * 60_000
    /// The most failures that are remembered. If there are more, the oldest are forgotten.
    private static let capacity = 10_000

    enum Subject: Hashable, Sendable {
        case address(String)
        /// The digest of the key that was tried.
        case key([UInt8])
    }

    private struct Failures {
        var count: Int
        var last: Timestamp
    }

    /// Guards the failures of each address and key.
    private let failures = Mutex<[Subject: Failures]>([:])

    /// How long an attempt must wait, in milliseconds; 0 when it may be made.
    func wait(_ subjects: [Subject], at now: Timestamp) -> Int64 {
        failures.withLock { failures in
            subjects.map { subject -> Int64 in
                guard let known = failures[subject], known.count >= Self.freeFailures else { return 0 }
                let doublings = min(known.count - Self.freeFailures, 16)
                let wait = min(Self.firstWait << Int64(doublings), Self.maximumWait)
                // If the clock went back, the wait is not longer.
                return min(wait, known.last.advanced(byMilliseconds: wait).milliseconds(since: now))
            }.max().map { max($0, 0) } ?? 0
        }
    }

    /// Notes an attempt that failed, unless one of its subjects had to wait.
    /// - Returns: how long an attempt that was not noted must wait, in milliseconds; 0 if it was noted.
    func fail(_ subjects: [Subject], at now: Timestamp) -> Int64 {
        let wait = wait(subjects, at: now)
        if wait <= 0 { recordFailure(subjects, at: now) }
        return wait
    }

    func recordFailure(_ subjects: [Subject], at now: Timestamp) {
        failures.withLock { failures in
            if failures.count + subjects.count > Self.capacity {
                failures = failures.filter { now < $0.value.last.advanced(byMilliseconds: Self.memory) }
            }
            if failures.count + subjects.count > Self.capacity {
                // A tenth at a time, so that not every failure searches all entries.
                let oldest = failures.sorted { $0.value.last < $1.value.last }.prefix(Self.capacity / 10)
                for (subject, _) in oldest { failures[subject] = nil }
            }
            for subject in subjects {
                let known = failures[subject]
                let goesOn = known.map { now < $0.last.advanced(byMilliseconds: Self.memory) } ?? false
                failures[subject] = Failures(count: (goesOn ? known?.count ?? 0 : 0) + 1, last: now)
            }
        }
    }

    func recordSuccess(_ subjects: [Subject]) {
        failures.withLock { failures in
            for subject in subjects { failures[subject] = nil }
        }
    }
}

extension Timestamp {
    fileprivate func milliseconds(since other: Timestamp) -> Int64 {
        millisecondsSince1970 - other.millisecondsSince1970
    }
}
