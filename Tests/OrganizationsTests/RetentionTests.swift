import Identifiers
import Organizations
import TestSupport
import Testing

@Suite struct RetentionTests {
    private static let day: Int64 = 86_400_000

    @Test("days are of 24 hours, counted back from now", arguments: [1, 2, 30, 365, 36_500])
    func kept(_ days: Int) {
        let retention = Retention(interactionsDays: days, decisionsDays: 2 * days)
        #expect(retention.interactionsKept(at: .noon) == .noon + -Int64(days) * Self.day)
        #expect(retention.decisionsKept(at: .noon) == .noon + -Int64(2 * days) * Self.day)
    }

    @Test("what is kept for ever has no end, each kind for itself")
    func forever() {
        #expect(Retention.forever.interactionsKept(at: .noon) == nil)
        #expect(Retention.forever.decisionsKept(at: .noon) == nil)
        #expect(Retention.forever.endOfInteraction(at: .noon) == nil)
        #expect(Retention.forever.endOfDecision(at: .noon) == nil)
        let one = Retention(interactionsDays: 1, decisionsDays: nil)
        #expect(one.interactionsKept(at: .noon) != nil)
        #expect(one.decisionsKept(at: .noon) == nil)
        let other = Retention(interactionsDays: nil, decisionsDays: 1)
        #expect(other.endOfInteraction(at: .noon) == nil)
        #expect(other.endOfDecision(at: .noon) == .noon + Self.day)
    }

    @Test("the end of what was recorded is the moment from which it is no longer kept", arguments: [1, 7, 36_500])
    func ends(_ days: Int) throws {
        let retention = Retention(interactionsDays: days, decisionsDays: days)
        let end = try #require(retention.endOfInteraction(at: .noon))
        #expect(end == retention.endOfDecision(at: .noon))
        #expect(try #require(retention.interactionsKept(at: end)) == .noon)
        #expect(try #require(retention.interactionsKept(at: end + -1)) < .noon)
    }

    @Test("the greatest retention has no end before the beginning of time")
    func bounds() throws {
        #expect(Retention.allowedDays == 1...36_500)
        let longest = Retention(interactionsDays: Retention.allowedDays.upperBound, decisionsDays: nil)
        let kept = try #require(longest.interactionsKept(at: Timestamp(millisecondsSince1970: 0)))
        #expect(kept.millisecondsSince1970 == -36_500 * Self.day)
    }
}

@Suite struct RetentionHoldBoundaryTests {
    private static let day: Int64 = 86_400_000

    private func isHeldAtStart(after absence: Duration, wasHeld: Bool = false) -> Bool {
        RetentionHold(trusted: .noon, wasHeld: wasHeld, at: .noon + absence).heldSince != nil
    }

    @Test("an absence of a year is believed, and a millisecond more is not")
    func absence() {
        #expect(!isHeldAtStart(after: .zero))
        #expect(!isHeldAtStart(after: RetentionHold.maximumAbsence))
        #expect(isHeldAtStart(after: RetentionHold.maximumAbsence + .milliseconds(1)))
        #expect(!isHeldAtStart(after: RetentionHold.maximumAbsence * -10), "a clock that went back deletes nothing")
        #expect(isHeldAtStart(after: .zero, wasHeld: true), "a hold outlasts the process")
    }

    @Test("a gap of a day is believed, and a millisecond more is not")
    func gap() {
        for (gap, mayPurge) in [
            (RetentionHold.maximumGap, true), (RetentionHold.maximumGap + .milliseconds(1), false),
        ] {
            var hold = RetentionHold(trusted: .noon, wasHeld: false, at: .noon)
            let permitted = hold.mayPurge(at: .noon + gap)
            #expect(permitted == mayPurge)
            #expect((hold.heldSince == nil) == mayPurge)
            #expect(hold.trusted == (mayPurge ? .noon + gap : .noon))
        }
    }

    @Test("a hold ends after a day at the new time, not a millisecond before")
    func timeout() {
        for (wait, mayPurge) in [(RetentionHold.duration - .milliseconds(1), false), (RetentionHold.duration, true)] {
            var hold = RetentionHold(trusted: .noon, wasHeld: false, at: .noon)
            let ahead = Timestamp.noon + 30 * Self.day
            let first = hold.mayPurge(at: ahead)
            #expect(!first)
            #expect(hold.heldSince == ahead)
            let afterWait = hold.mayPurge(at: ahead + wait)
            #expect(afterWait == mayPurge)
        }
    }

    @Test("a clock that steps again during a hold begins the wait anew")
    func again() {
        var hold = RetentionHold(trusted: .noon, wasHeld: false, at: .noon)
        let (first, second) = (Timestamp.noon + 30 * Self.day, Timestamp.noon + 90 * Self.day)
        let atFirst = hold.mayPurge(at: first)
        #expect(!atFirst)
        let atSecond = hold.mayPurge(at: second)
        #expect(!atSecond)
        #expect(hold.heldSince == second)
        let tooEarly = hold.mayPurge(at: second + (RetentionHold.duration - .milliseconds(1)))
        #expect(!tooEarly)
        let afterWait = hold.mayPurge(at: second + RetentionHold.duration)
        #expect(afterWait)
        #expect(hold.trusted == second + RetentionHold.duration)
    }

    @Test("a clock that goes back where it was ends the hold at once")
    func back() {
        var hold = RetentionHold(trusted: .noon, wasHeld: false, at: .noon)
        let ahead = hold.mayPurge(at: .noon + 30 * Self.day)
        #expect(!ahead)
        let back = hold.mayPurge(at: .noon + 60_000)
        #expect(back)
        #expect(hold.heldSince == nil)
        #expect(hold.trusted == .noon + 60_000)
    }
}
