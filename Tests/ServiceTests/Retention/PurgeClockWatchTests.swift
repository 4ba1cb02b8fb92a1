import Identifiers
import Organizations
import TestSupport
import Testing

@testable import Service

@Suite struct PurgeClockWatchTests {
    private static let (minute, day): (Int64, Int64) = (60_000, 86_400_000)

    private func begun() -> PurgeClockWatch {
        var clock = PurgeClockWatch()
        clock.begin(RetentionHold(trusted: .noon, wasHeld: false, at: .noon), at: .noon)
        return clock
    }

    /// Whether something is stored in a round at each of `times`, in milliseconds after noon.
    private func notes(_ clock: inout PurgeClockWatch, _ times: [Int64]) -> [Bool] {
        times.map { time in
            clock.check(at: .noon + time)
            guard let hold = clock.stateToStore else { return false }
            clock.didStore(hold)
            return true
        }
    }

    @Test("nothing may be deleted before the store was asked")
    func before() {
        var clock = PurgeClockWatch()
        clock.check(at: .noon)
        #expect(!clock.mayPurge && !clock.isBegun && clock.stateToStore == nil)
    }

    @Test("the time is stored once an hour, also during a hold, and its beginning and end at once")
    func noted() {
        var clock = begun()
        let hour = 60 * Self.minute
        let before = notes(&clock, [0, Self.minute, hour, hour + 1])
        #expect(before == [true, false, false, true])
        let start = 10 * Self.day
        let during = notes(&clock, [start, start + Self.minute, start + hour, start + hour + 1, start + 2 * hour])
        #expect(during == [true, false, false, true, false])
        let after = notes(&clock, [start + Self.day - 1, start + Self.day, start + Self.day + Self.minute])
        #expect(after == [true, true, false])
    }

    @Test("beginning and end of a hold are told once, between two rounds as in one")
    func begins() {
        var clock = begun()
        let days: [Int64] = [0, 10, 10, 11, 30]
        let answers = days.map { clock.changesHold(at: .noon + $0 * Self.day) }
        #expect(answers == [false, true, false, true, true])
        #expect(clock.stateToStore?.heldSince == .noon + 30 * Self.day)
    }

    @Test("a node that gets the job stores what it knows, and tells of a hold that began without it")
    func taken() {
        var clock = begun()
        _ = notes(&clock, [0])
        let quiet = clock.change()
        clock.leave()
        clock.check(at: .noon + 10 * Self.day)
        #expect(quiet == nil)
        #expect(clock.stateToStore?.heldSince == .noon + 10 * Self.day)
        let news = [clock.change(), clock.change()]
        #expect(news == [.held, nil])
        clock.check(at: .noon + 11 * Self.day)
        let ended = clock.change()
        #expect(ended == .believed)
    }
}
