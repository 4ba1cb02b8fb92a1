import Identifiers
import Testing

@Suite struct ClockWatchTests {
    private static let second: Int64 = 1_000_000_000
    private static let noon: Int64 = 1_795_348_800 * second

    @Test(
        "a step of a second or more is noticed once, either way",
        arguments: [
            (-3_600_000, .back), (-1000, .back), (1000, .ahead), (86_400_000, .ahead),
        ] as [(Int64, ClockStep.Direction)])
    func steps(_ milliseconds: Int64, _ direction: ClockStep.Direction) {
        var watch = ClockWatch(wall: Self.noon, monotonic: 0)
        #expect(watch.observe(wall: Self.noon + Self.second, monotonic: Self.second, lead: .zero) == nil)
        let moved = Self.noon + milliseconds * 1_000_000
        let step = ClockStep(direction: direction, size: .milliseconds(abs(milliseconds)))
        #expect(watch.observe(wall: moved + 2 * Self.second, monotonic: 2 * Self.second, lead: .zero) == step)
        #expect(watch.observe(wall: moved + 3 * Self.second, monotonic: 3 * Self.second, lead: .zero) == nil)
    }

    @Test("a smaller correction and a long pause are none", arguments: [-999, -1, 0, 1, 999] as [Int64])
    func none(_ milliseconds: Int64) {
        var watch = ClockWatch(wall: Self.noon, monotonic: 0)
        let elapsed = 3600 * Self.second
        #expect(
            watch.observe(wall: Self.noon + elapsed + milliseconds * 1_000_000, monotonic: elapsed, lead: .zero) == nil)
    }

    @Test("there is a fault as long as there is a lead, as great as the lead ever was")
    func fault() throws {
        var watch = ClockWatch(wall: Self.noon, monotonic: 0)
        #expect(watch.fault(wall: Self.noon, monotonic: 0, lead: .zero) == nil)
        let hour = 3600 * Self.second
        // Ahead by an hour at noon, back after ten minutes; the lead has gone down to half when it is asked again.
        _ = watch.observe(wall: Self.noon + hour, monotonic: 0, lead: .zero)
        let back = 600 * Self.second
        _ = watch.observe(wall: Self.noon + back, monotonic: back, lead: .nanoseconds(hour))
        let later = back + hour
        _ = watch.observe(wall: Self.noon + later, monotonic: later, lead: .nanoseconds(hour / 2))
        let fault = try #require(watch.fault(wall: Self.noon + later, monotonic: later, lead: .nanoseconds(hour / 2)))
        #expect(fault.lead == .milliseconds(3_600_001))
        #expect(fault.since == Timestamp(millisecondsSince1970: Self.noon / 1_000_000), "when it went ahead")
        #expect(watch.observe(wall: Self.noon + 2 * later, monotonic: 2 * later, lead: .zero) == nil)
        let next = try #require(watch.fault(wall: Self.noon + 2 * later, monotonic: 2 * later, lead: .seconds(1)))
        #expect(next.lead == .milliseconds(1001), "the former fault is over")
    }

    @Test("a further step ahead during a lead does not make the fault begin later")
    func corrected() throws {
        var watch = ClockWatch(wall: Self.noon, monotonic: 0)
        func seconds(_ count: Int64) -> Int64 { count * Self.second }
        // Ahead by an hour after 100 seconds, back after 700, and ahead by two seconds after 800.
        _ = watch.observe(wall: Self.noon + seconds(3700), monotonic: seconds(100), lead: .zero)
        _ = watch.observe(wall: Self.noon + seconds(700), monotonic: seconds(700), lead: .seconds(3600))
        _ = watch.observe(wall: Self.noon + seconds(802), monotonic: seconds(800), lead: .seconds(3550))
        let fault = try #require(
            watch.fault(wall: Self.noon + seconds(5002), monotonic: seconds(5000), lead: .seconds(1450)))
        #expect(fault.lead == .milliseconds(3_600_001))
        #expect(fault.since == Timestamp(millisecondsSince1970: (Self.noon + seconds(102)) / 1_000_000))
    }

    @Test(
        "a step back of a second or more while no process watched is a fault, and nothing else is",
        arguments: [
            (-59_000, true), (-1000, true), (-999, false), (0, false), (59_000, false),
        ] as [(Int64, Bool)])
    func resumed(_ milliseconds: Int64, isFault: Bool) {
        let note = ClockWatch(wall: Self.noon, monotonic: 0).note(boot: "b")
        let elapsed = 100 * Self.second
        let wall = Self.noon + elapsed + milliseconds * 1_000_000
        var watch = ClockWatch(wall: wall, monotonic: elapsed)
        let expected = ClockFault(
            lead: .milliseconds(1 - milliseconds),
            since: Timestamp(millisecondsSince1970: Self.noon / 1_000_000 + milliseconds),
            until: Timestamp(millisecondsSince1970: wall / 1_000_000 + 1))
        #expect(watch.resume(note, wall: wall, monotonic: elapsed) == (isFault ? expected : nil))
    }

    @Test("a fault that no step ahead explains begins no later than the lead before now")
    func unexplained() throws {
        let watch = ClockWatch(wall: Self.noon, monotonic: 0)
        let lead = 3600 * Self.second
        let fault = try #require(watch.fault(wall: Self.noon, monotonic: 0, lead: .nanoseconds(lead)))
        #expect(fault.since == Timestamp(millisecondsSince1970: (Self.noon - lead) / 1_000_000))
    }
}
