package import Identifiers

/// The outcomes of clicks in the last 24 hours, minute by minute, in memory: a ring of 1,440 minutes, about 100 KiB,
/// however long the process runs. It begins empty with each start.
///
/// The number of a minute gives its place. If the clock steps back, counts are added to existing minutes; after a gap,
/// minutes are missing.
package struct DayHistory: Sendable {
    /// In minutes.
    package static let capacity: Int64 = 1440
    private static let minuteLength: Int64 = 60_000

    package struct Minute: Hashable, Sendable {
        /// Since 1970.
        package let number: Int64
        package fileprivate(set) var recorded: UInt64 = 0
        package fileprivate(set) var unrecorded: UInt64 = 0
        /// The greatest depth that was seen.
        package fileprivate(set) var spoolDepth = 0
        /// The duration that 99 of 100 commits did not exceed, in microseconds; `nil` without a commit.
        fileprivate(set) var commitMicroseconds: UInt64?

        package var begin: Timestamp { DayHistory.begin(ofMinute: number) }
    }

    private var ring = [Minute?](repeating: nil, count: Int(capacity))
    private var last: ActivitySample?
    /// The commits of the current minute, and of the one before.
    private var open: (number: Int64, commits: CommitTimes)?
    private var former: CommitTimes?

    package init() {}

    /// Adds the counts since the previous sample; with the first sample, the counts since the start.
    package mutating func add(_ sample: ActivitySample, at now: Timestamp) {
        let number = Self.number(of: now)
        let commits = CommitTimes(sample.commits).since(last.map { CommitTimes($0.commits) })
        if let open, open.number == number {
            self.open = (number, commits.adding(open.commits))
        } else {
            former = open?.commits
            open = (number, commits)
        }
        let place = Int((number % Self.capacity + Self.capacity) % Self.capacity)
        var minute = ring[place].flatMap { $0.number == number ? $0 : nil } ?? Minute(number: number)
        minute.recorded += sample.recorded &- min(last?.recorded ?? 0, sample.recorded)
        minute.unrecorded += sample.unrecordedCount &- min(last?.unrecordedCount ?? 0, sample.unrecordedCount)
        minute.spoolDepth = max(minute.spoolDepth, sample.spoolDepth)
        if let time = open?.commits.quantile(0.99)?.microseconds {
            minute.commitMicroseconds = max(minute.commitMicroseconds ?? 0, time)
        }
        ring[place] = minute
        last = sample
    }

    /// The minutes of the last 24 hours, the oldest first. Minutes in the future, from before the clock was set back,
    /// are left out until their time comes.
    package func minutes(until now: Timestamp) -> [Minute] {
        let newest = Self.number(of: now)
        return ring.compactMap(\.self).filter { $0.number <= newest && $0.number > newest - Self.capacity }
            .sorted { $0.number < $1.number }
    }

    /// The commits of the current minute and the one before.
    var recentCommits: CommitTimes? { open.map { $0.commits.adding(former) } }

    private static func number(of time: Timestamp) -> Int64 {
        let (minutes, rest) = time.millisecondsSince1970.quotientAndRemainder(dividingBy: minuteLength)
        return rest < 0 ? minutes - 1 : minutes
    }

    static func begin(ofMinute number: Int64) -> Timestamp {
        Timestamp(millisecondsSince1970: number * minuteLength)
    }
}
