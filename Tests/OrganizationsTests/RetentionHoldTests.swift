import Identifiers
import Organizations
import TestSupport
import Testing

@Suite struct RetentionHoldTests {
    private static let (minute, day): (Int64, Int64) = (60_000, 86_400_000)

    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp.noon.advanced(byMilliseconds: milliseconds) }

    /// Whether purging is permitted at each of `moments`, which are in milliseconds after noon.
    private func rounds(_ hold: inout RetentionHold, _ instants: [Int64]) -> [Bool] {
        instants.map { hold.mayPurge(at: at($0)) }
    }

    @Test("a clock that goes on is believed, and so is one that goes back")
    func steady() {
        var hold = RetentionHold(trusted: nil, wasHeld: false, at: .noon)
        for minutes in [0, 1, 2, 60, 0, -1000] as [Int64] {
            let permitted = hold.mayPurge(at: at(minutes * Self.minute))
            #expect(permitted)
            #expect(hold.trusted == at(minutes * Self.minute))
        }
    }

    @Test("after a step ahead nothing is purged for a day", arguments: [2, 1825] as [Int64])
    func ahead(_ days: Int64) {
        var hold = RetentionHold(trusted: nil, wasHeld: false, at: .noon)
        let before = rounds(&hold, [0])
        #expect(before == [true])
        let stepped = days * Self.day
        let held = rounds(&hold, (0..<24).map { stepped + $0 * 3_600_000 })
        #expect(held.allSatisfy { !$0 })
        #expect(hold.trusted == .noon)
        let after = rounds(&hold, [stepped + Self.day])
        #expect(after == [true])
        #expect(hold.heldSince == nil && hold.trusted == at(stepped + Self.day))
    }

    @Test("a clock that is set right is believed at once")
    func corrected() {
        var hold = RetentionHold(trusted: nil, wasHeld: false, at: .noon)
        let answers = rounds(&hold, [1000 * Self.day, Self.minute])
        #expect(answers == [false, true])
    }

    @Test("a clock that steps on is believed only a day after the last step")
    func again() {
        var hold = RetentionHold(trusted: nil, wasHeld: false, at: .noon)
        let answers = rounds(&hold, (1...9).map { $0 * 10 * Self.day })
        #expect(answers.allSatisfy { !$0 })
    }

    @Test("a hold outlasts a restart, whatever the clock says then")
    func restart() {
        var hold = RetentionHold(trusted: .noon, wasHeld: true, at: at(50 * Self.day))
        let answers = rounds(&hold, [50 * Self.day])
        #expect(answers == [false])
        #expect(hold.trusted == .noon)
    }

    @Test("a clock that begins years behind, and is corrected, ends no hold and begins none")
    func behind() {
        let years = -3000 * Self.day
        var hold = RetentionHold(trusted: .noon, wasHeld: false, at: at(years))
        let first = rounds(&hold, [years, years + Self.minute])
        #expect(first == [true, true], "nothing is that old")
        #expect(hold.trusted == .noon)
        // The machine was off for three days.
        let second = rounds(&hold, [3 * Self.day])
        #expect(second == [false])
        for day in [3, 4] as [Int64] {
            let time = day * Self.day + Self.day / 2
            hold = restarted(hold, at: years)
            let answers = rounds(&hold, [years, years + Self.minute, time])
            #expect(answers == [false, false, day > 3], "a day in all")
        }
        #expect(hold.heldSince == nil)
    }

    @Test("a clock that stays behind for a day is the one that counts")
    func behindForLong() {
        var hold = RetentionHold(trusted: .noon, wasHeld: false, at: at(-300 * Self.day))
        let answers = rounds(&hold, (0...25).map { -300 * Self.day + $0 * 3_600_000 })
        #expect(!answers.contains(false))
        #expect(hold.trusted == at(-300 * Self.day + Self.day + 3_600_000))
        let ahead = rounds(&hold, [-100 * Self.day])
        #expect(ahead == [false])
    }

    /// As it is stored and read again.
    private func restarted(_ hold: RetentionHold, at milliseconds: Int64) -> RetentionHold {
        RetentionHold(
            trusted: hold.trusted, wasHeld: hold.heldSince != nil, since: hold.heldSince, seen: hold.seen,
            at: at(milliseconds))
    }

    @Test("a hold ends after a day in all, however often the service is restarted", arguments: [1, 6, 23] as [Int64])
    func restarts(_ hours: Int64) {
        let stepped = 2 * Self.day
        var hold = RetentionHold(trusted: nil, wasHeld: false, at: .noon)
        var answers = rounds(&hold, [0, stepped])
        var time = stepped
        while time < stepped + Self.day, answers.count < 50 {
            time += hours * 3_600_000
            hold = restarted(hold, at: time)
            answers += rounds(&hold, [time])
        }
        #expect(answers.dropLast() == [true] + answers.dropFirst().dropLast().map { _ in false })
        #expect(answers.last == true)
        #expect(time < stepped + 2 * Self.day)
    }

    @Test("a hold begins anew where the clock has gone on by more than a day, or back, while the service was off")
    func steppedWhileOff() {
        for (time, since) in [
            (32 * Self.day, 32 * Self.day), (29 * Self.day, 29 * Self.day), (31 * Self.day - 1, nil),
        ] {
            var hold = RetentionHold(trusted: .noon, wasHeld: false, at: .noon)
            _ = rounds(&hold, [0, 30 * Self.day, 30 * Self.day + Self.minute])
            hold = restarted(hold, at: time)
            let answers = rounds(&hold, [time])
            #expect(answers == [false])
            #expect(hold.heldSince == at(since ?? 30 * Self.day))
        }
    }

    @Test("requests are forgotten again a day after the service was off for more than a day, and after a hold")
    func requests() {
        var hold = RetentionHold(trusted: .noon, wasHeld: false, at: at(3 * Self.day))
        let answers = [3 * Self.day, 4 * Self.day - 1, 4 * Self.day, 9 * Self.day, 10 * Self.day].map { time in
            _ = hold.mayPurge(at: at(time))
            return hold.mayForgetRequests
        }
        #expect(answers == [false, false, true, false, true])
        var corrected = RetentionHold(trusted: .noon, wasHeld: false, at: at(300 * Self.day))
        let after = [Self.minute, Self.day, Self.day + Self.minute].map { time in
            _ = corrected.mayPurge(at: at(time))
            return corrected.mayForgetRequests
        }
        #expect(after == [false, false, true], "the clock was ahead at the start, and was set right")
    }

    @Test("a service that was off for weeks goes on, one that was off for years waits a day")
    func absence() {
        var weeks = RetentionHold(trusted: .noon, wasHeld: false, at: at(40 * Self.day))
        let afterWeeks = rounds(&weeks, [40 * Self.day])
        #expect(afterWeeks == [true])
        var years = RetentionHold(trusted: .noon, wasHeld: false, at: at(1800 * Self.day))
        let afterYears = rounds(&years, [1800 * Self.day, 1801 * Self.day])
        #expect(afterYears == [false, true])
    }
}
