import Counting
import Identifiers
import Interactions
import TestSupport
import Testing

@testable import Console

/// The last 24 hours in memory.
@Suite struct DayHistoryTests {
    private static let minute: Int64 = 60_000

    private let commits = Histogram(boundsInMicroseconds: [1_000, 5_000, 100_000])

    private func sample(_ recorded: UInt64, lost: UInt64 = 0, depth: Int = 0) -> ActivitySample {
        ActivitySample(
            recorded: recorded, unrecorded: [.full: lost], spoolDepth: depth, commits: commits.reading, refusal: nil)
    }

    @Test("a minute has what was counted in it, and the greatest depth")
    func minutes() {
        var history = DayHistory()
        history.add(sample(3, lost: 1, depth: 7), at: .noon)
        history.add(sample(5, lost: 1, depth: 2), at: .noon + 59_999)
        history.add(sample(9, lost: 4), at: .noon + Self.minute)
        let minutes = history.minutes(until: .noon + Self.minute)
        #expect(minutes.map(\.recorded) == [5, 4])
        #expect(minutes.map(\.unrecorded) == [1, 3])
        #expect(minutes.map(\.spoolDepth) == [7, 0])
        #expect(minutes.map(\.begin) == [.noon, .noon + Self.minute])
    }

    @Test("a gap leaves minutes out, and what was counted meanwhile stands after it")
    func gap() {
        var history = DayHistory()
        history.add(sample(1), at: .noon)
        history.add(sample(11), at: .noon + 30 * Self.minute)
        let minutes = history.minutes(until: .noon + 30 * Self.minute)
        #expect(minutes.map(\.recorded) == [1, 10])
        #expect(minutes[1].number - minutes[0].number == 30)
    }

    @Test("a clock that steps back adds to minutes that are there; those ahead wait until the clock is there")
    func back() {
        var history = DayHistory()
        history.add(sample(1), at: .noon)
        history.add(sample(3), at: .noon + 2 * Self.minute)
        history.add(sample(7), at: .noon)
        #expect(history.minutes(until: .noon).map(\.recorded) == [5])
        history.add(sample(8), at: .noon + 2 * Self.minute)
        #expect(history.minutes(until: .noon + 2 * Self.minute).map(\.recorded) == [5, 3])
    }

    @Test("after 24 hours a minute takes the place of the one a day before")
    func wrap() {
        var history = DayHistory()
        for minute in 0..<(2 * DayHistory.capacity) {
            history.add(sample(UInt64(minute)), at: .noon + minute * Self.minute)
        }
        let end = Timestamp.noon + (2 * DayHistory.capacity - 1) * Self.minute
        let minutes = history.minutes(until: end)
        #expect(minutes.count == Int(DayHistory.capacity))
        #expect(minutes.last?.begin == end)
        #expect(minutes.allSatisfy { $0.recorded == 1 })
        #expect(zip(minutes, minutes.dropFirst()).allSatisfy { $0.number + 1 == $1.number })
        // A day without a sample: nothing of it is shown, and nothing older.
        #expect(history.minutes(until: end + DayHistory.capacity * Self.minute).isEmpty)
    }

    @Test("minutes before 1970 have places, too")
    func early() {
        var history = DayHistory()
        let early = Timestamp(millisecondsSince1970: -1)
        history.add(sample(2), at: early)
        #expect(history.minutes(until: early).map(\.number) == [-1])
    }

    @Test("commit times are of their minute alone; those of two minutes are recent")
    func commitTimes() {
        var history = DayHistory()
        commits.observe(.milliseconds(50))
        history.add(sample(1), at: .noon)
        for _ in 0..<200 { commits.observe(.microseconds(800)) }
        history.add(sample(2), at: .noon + Self.minute)
        history.add(sample(2), at: .noon + 2 * Self.minute)
        let minutes = history.minutes(until: .noon + 2 * Self.minute)
        #expect(minutes.map(\.commitMicroseconds) == [100_000, 1_000, nil])
        #expect(history.recentCommits?.quantile(0.99) == .atMost(1_000))
    }

    @Test("a quantile is the bound of its bucket", arguments: [(0.5, 1_000), (0.9, 5_000), (0.91, 100_000)])
    func quantiles(_ share: Double, _ bound: UInt64) {
        for (milliseconds, times) in [(1, 50), (5, 40), (100, 10)] {
            commits.observe(nanoseconds: Int64(milliseconds) * 1_000_000, times: times)
        }
        #expect(CommitTimes(commits.reading).quantile(share) == .atMost(bound))
    }

    @Test("a time beyond the last bound is more than it, and of no commits there is none")
    func unbounded() {
        let commits = Histogram(boundsInMicroseconds: [1])
        #expect(CommitTimes(commits.reading).quantile(0.99) == nil)
        commits.observe(nanoseconds: 1_001)
        #expect(CommitTimes(commits.reading).quantile(0.99) == .moreThan(1))
    }
}
