import Identifiers
import TestSupport
import Testing

@testable import Webhooks

/// When an attempt is repeated, and when an endpoint is given up.
@Suite struct DeliveryProgressTests {
    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute
    private static let day = 24 * hour

    /// Has an endpoint fail each time that it is due.
    private func fail(
        _ outcome: DeliveryOutcome = .answered(status: 500, retryAfter: nil), jitter: Double = 0, count: Int
    ) -> (pauses: [Int64], verdicts: [DeliveryProgress.Verdict], last: DeliveryProgress) {
        var progress = DeliveryProgress(dueAt: .noon)
        var (pauses, verdicts) = ([Int64](), [DeliveryProgress.Verdict]())
        for _ in 0..<count {
            let now = progress.dueAt
            verdicts.append(progress.apply(outcome, at: now, jitter: jitter))
            pauses.append(progress.dueAt.millisecondsSince1970 - now.millisecondsSince1970)
        }
        return (pauses, verdicts, progress)
    }

    @Test("an attempt that is due later than any pause is due now, and no failure is in the future")
    func future() {
        let (longest, _, last) = fail(jitter: 1, count: 12)
        #expect(longest.max() == RetrySchedule.longestPause.wholeMilliseconds)
        #expect(last.bounded(at: last.dueAt + -(longest.last ?? 0)) == last, "it is possible")
        #expect(last.bounded(at: .noon).dueAt == .noon)
        let ahead = DeliveryProgress(failures: 2, failingSince: .noon + Self.day, dueAt: .noon + 9000 * Self.day)
        #expect(ahead.bounded(at: .noon) == DeliveryProgress(failures: 2, failingSince: .noon, dueAt: .noon))
        let near = DeliveryProgress(dueAt: .noon + Self.minute)
        #expect(near.bounded(at: .noon) == near)
    }

    @Test("after failures the pauses are those of the schedule, and then a day")
    func schedule() {
        let (pauses, verdicts, _) = fail(count: 13)
        let (minute, hour) = (Self.minute, Self.hour)
        #expect(
            pauses == [
                1000, 5000, 15_000, minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour,
                20 * hour, 24 * hour, 24 * hour,
            ])
        #expect(verdicts == Array(repeating: .again, count: 13))
    }

    @Test("an endpoint that refuses one attempt in twenty-five keeps up with three events a second")
    func sometimes() {
        let event = 1000.0 / 3
        var (chance, paused) = (1.0, 0.0)
        for pause in fail(jitter: 1, count: 12).pauses {
            chance /= 25
            paused += chance * Double(pause)
        }
        #expect(paused < event / 4, "the share of the pauses in the time between two events")
    }

    @Test("a dead one is tried six times in ten minutes, and nine times more in the five days until it is off")
    func dead() {
        var progress = DeliveryProgress(dueAt: .noon)
        var (times, verdict) = ([Int64](), DeliveryProgress.Verdict.again)
        while verdict == .again {
            times.append(progress.dueAt.millisecondsSince1970 - Timestamp.noon.millisecondsSince1970)
            verdict = progress.apply(.failed(.cannotConnect), at: progress.dueAt, jitter: 0)
        }
        #expect(times.prefix { $0 < 10 * Self.minute } == [0, 1000, 6000, 21_000, 81_000, 381_000])
        #expect(times.count == 15)
        #expect(times.last == 123 * Self.hour + 36 * Self.minute + 21_000)
    }

    @Test("five days of failures alone end it, and not a failure before", arguments: [-1.0, 0, 1])
    func timeout(_ jitter: Double) {
        var progress = DeliveryProgress(dueAt: .noon)
        var verdict = DeliveryProgress.Verdict.again
        var now = Timestamp.noon
        while verdict == .again {
            now = progress.dueAt
            verdict = progress.apply(.failed(.cannotConnect), at: now, jitter: jitter)
            let hasPassed = now.millisecondsSince1970 - Timestamp.noon.millisecondsSince1970 >= 5 * Self.day
            #expect((verdict == .stop(.failing)) == hasPassed)
        }
        #expect(now >= Timestamp.noon.advanced(byMilliseconds: 5 * Self.day))
    }

    @Test("days without an attempt do not count for failures: eleven of them it must be")
    func absence() {
        var progress = DeliveryProgress(dueAt: .noon)
        let week = 7 * Self.day
        for number in 0..<10 {
            let now = Timestamp.noon.advanced(byMilliseconds: Int64(number) * week)
            #expect(progress.apply(.failed(.cannotConnect), at: now, jitter: 0) == .again, "failure \(number + 1)")
        }
        let last = Timestamp.noon.advanced(byMilliseconds: 10 * week)
        #expect(progress.apply(.failed(.cannotConnect), at: last, jitter: 0) == .stop(.failing))
    }

    @Test("one that is dead for six days is given up, and goes on at once when it is enabled")
    func sixDays() {
        var progress = DeliveryProgress(dueAt: .noon)
        var verdict = DeliveryProgress.Verdict.again
        while verdict == .again { verdict = progress.apply(.failed(.timedOut), at: progress.dueAt, jitter: 0) }
        #expect(verdict == .stop(.failing))
        let later = Timestamp.noon.advanced(byMilliseconds: 6 * Self.day)
        progress.begin(at: later)
        #expect(progress == DeliveryProgress(dueAt: later))
        #expect(progress.apply(.answered(status: 204, retryAfter: nil), at: later, jitter: 0) == .goOn)
    }

    @Test("one success begins the schedule and the five days anew")
    func success() {
        var progress = fail(count: 6).last
        let now = progress.dueAt
        #expect(progress.apply(.answered(status: 200, retryAfter: nil), at: now, jitter: 1) == .goOn)
        #expect(progress == DeliveryProgress(dueAt: now))
        #expect(progress.apply(.answered(status: 503, retryAfter: nil), at: now, jitter: 0) == .again)
        #expect(progress.failingSince == now && progress.dueAt == now.advanced(byMilliseconds: 1000))
    }

    @Test("a pause is a fifth longer or shorter at most, whatever the chance", arguments: [-9.0, -1, -0.5, 0.5, 1, 9])
    func jitter(_ jitter: Double) {
        let pause = fail(jitter: jitter, count: 5).pauses[4]
        #expect(pause == 5 * Self.minute + Int64(Double(Self.minute) * min(max(jitter, -1), 1)))
    }

    @Test(
        "an endpoint can ask for a longer pause, up to a day, and for no shorter one",
        arguments: [
            (0, 1000), (1, 1000), (4, 4000), (60, 60_000), (1_000_000, 86_400_000), (-5, 1000),
            (Int(Int32.max), 86_400_000),
        ])
    func retryAfter(_ seconds: Int, _ pause: Int) {
        #expect(fail(.answered(status: 503, retryAfter: seconds), count: 1).pauses == [Int64(pause)])
    }

    @Test(
        "410 gives an endpoint up at once; every other status but 2xx is a failure",
        arguments: [199, 301, 302, 404, 500])
    func statuses(_ status: Int) {
        #expect(fail(.answered(status: 410, retryAfter: nil), count: 1).verdicts == [.stop(.gone)])
        #expect(fail(.answered(status: status, retryAfter: nil), count: 1).verdicts == [.again])
        for delivered in [200, 202, 204, 299] {
            #expect(fail(.answered(status: delivered, retryAfter: nil), count: 1).verdicts == [.goOn])
        }
    }
}
