import Consent
import Identifiers
import StoragePorts
import TestSupport
import Testing

@testable import Service

/// Which times of the wall clock were wrong, over steps and restarts.
@Suite struct ClockRecordTests {
    private static let second = ScriptedClock.second
    private let script = ScriptedClock()

    /// What a storage keeps between processes.
    private struct Kept {
        var faults = ClockFaults()
        var note: ClockNote?

        mutating func save(_ clock: ServiceClock) {
            let change = clock.unsaved
            if let end = change.endedAt { faults.end(at: end) }
            faults.add(change.faults)
            note = change.note ?? note
            clock.wasStored(change, as: faults)
        }
    }

    private func start(_ kept: Kept, after floor: Timestamp = .distantPast, boot: String? = "b") -> ServiceClock {
        let clock = ServiceClock(source: script.source)
        _ = clock.begin(notBefore: floor)
        clock.resume(ClockHistory(faults: kept.faults, note: kept.note), boot: boot)
        return clock
    }

    /// Lets seconds go by, in which the clock is observed and what it shows is stored.
    private func pass(_ seconds: Int, _ clock: ServiceClock, _ kept: inout Kept) {
        for _ in 0..<seconds {
            script.move(by: Self.second)
            _ = clock.observe()
            kept.save(clock)
        }
    }

    /// The right time: the tests move the clock besides.
    private func rightNow(_ ahead: Int64) -> Timestamp {
        Timestamp(millisecondsSince1970: script.source().wall / 1_000_000 - ahead * 1000)
    }

    /// Whether a no that was said at `said`, and is reported now, ends a yes that was stored at `given`.
    private func ends(_ given: Timestamp, _ said: Timestamp, _ clock: ServiceClock) throws -> Bool {
        let instant = clock.recordingTime
        let no = try NewConsentRecord(
            recipient: RecipientID("ana@example.com"), purpose: .tracking, state: .withdrawn, occurredAt: said,
            validUntil: nil, evidence: nil, instant: instant)
        return no.occurredAt(recordedAt: instant.now) >= given
    }

    @Test("a no that is reported when the lead is gone still ends the yes before it", arguments: [20, 3600])
    func late(_ ahead: Int64) throws {
        var kept = Kept()
        let clock = start(kept)
        pass(3, clock, &kept)
        script.move(step: ahead * Self.second)
        pass(2, clock, &kept)
        let given = clock.now()
        script.move(step: -ahead * Self.second)
        pass(4, clock, &kept)
        let said = rightNow(0)
        pass(Int(ahead) * 2 + 10, clock, &kept)
        #expect(clock.lead == .zero)
        #expect(try ends(given, said, clock))
        #expect(try ends(given, said, start(kept, after: clock.now())), "and after a restart")
        let later = clock.now()
        pass(3, clock, &kept)
        #expect(clock.recordingTime.faults.lead(at: rightNow(0)) == nil, "the fault is over")
        #expect(clock.recordingTime.faults.lead(at: later.advanced(byMilliseconds: 1000)) == nil)
    }

    @Test("a restart while there is a lead forgets neither the greatest lead nor the beginning")
    func restart() throws {
        var kept = Kept()
        let clock = start(kept)
        script.move(step: 300 * Self.second)
        pass(2, clock, &kept)
        let given = clock.now()
        script.move(step: -300 * Self.second)
        pass(2, clock, &kept)
        let said = rightNow(0)
        pass(20, clock, &kept)
        #expect(try ends(given, said, start(kept, after: clock.now())))
    }

    @Test("a small step ahead while there is a lead does not move the beginning")
    func secondStep() throws {
        var kept = Kept()
        let clock = start(kept)
        script.move(step: 60 * Self.second)
        pass(2, clock, &kept)
        let given = clock.now()
        script.move(step: -60 * Self.second)
        pass(2, clock, &kept)
        let said = rightNow(0)
        pass(8, clock, &kept)
        script.move(step: Self.second * 3 / 2)
        pass(66, clock, &kept)
        #expect(try ends(given, said, clock))
    }

    @Test("a step back while no process watched is found by the next, also when no lead is left of it")
    func stoppedMeanwhile() throws {
        for off in [1, 30, 90] as [Int64] {
            var kept = Kept()
            let clock = start(kept)
            pass(2, clock, &kept)
            script.move(step: 60 * Self.second)
            pass(2, clock, &kept)
            let given = clock.now()
            script.move(by: Self.second, step: -60 * Self.second)
            let said = rightNow(0)
            script.move(by: off * Self.second)
            let next = start(kept, after: given)
            #expect(try ends(given, said, next), "\(off)")
            kept.save(next)
            #expect(try ends(given, said, start(kept, after: given, boot: "another")), "it is stored")
        }
    }

    @Test("a process that knows nothing of the one before takes a lead at its start for a part of the fault")
    func unknown() throws {
        let given = rightNow(0).advanced(byMilliseconds: 60_000)
        script.move(by: 2 * Self.second)
        let said = rightNow(0)
        script.move(by: 5 * Self.second)
        #expect(try ends(given, said, start(Kept(), after: given)))
    }

    @Test("a right clock has no faults and nothing to store but its note, once")
    func right() {
        var kept = Kept()
        let clock = start(kept)
        #expect(clock.unsaved.note != nil)
        pass(100, clock, &kept)
        #expect(clock.unsaved.isEmpty && kept.faults.isEmpty)
        #expect(start(kept, after: clock.now()).unsaved.isEmpty)
        #expect(start(Kept(), boot: nil).unsaved.isEmpty, "nodes have a note of their own")
        script.move(step: -Self.second / 2)
        pass(3, clock, &kept)
        #expect(kept.faults.isEmpty, "half a second")
    }

    @Test("a fault that comes and goes while the store is being written counts at once, and is stored later")
    func noticedWhileStoring() throws {
        var kept = Kept()
        let clock = start(kept)
        let writing = clock.unsaved
        script.move(by: 2 * Self.second, step: 20 * Self.second)
        _ = clock.observe()
        let given = clock.now()
        script.move(step: -20 * Self.second)
        for _ in 0..<3 {
            script.move(by: Self.second)
            _ = clock.observe()
        }
        let said = rightNow(0)
        for _ in 0..<50 {
            script.move(by: Self.second)
            _ = clock.observe()
        }
        #expect(clock.lead == .zero)
        clock.wasStored(writing, as: kept.faults)
        #expect(try ends(given, said, clock))
        kept.save(clock)
        #expect(try ends(given, said, start(kept, after: clock.now())), "and after a restart")
    }

    @Test("the end of a fault that comes while its beginning is being written is stored by the next write")
    func endedWhileStoring() {
        var kept = Kept()
        let clock = start(kept)
        pass(3, clock, &kept)
        script.move(by: Self.second, step: -20 * Self.second)
        _ = clock.observe()
        let writing = clock.unsaved
        #expect(writing.faults.all.count == 1 && writing.endedAt == nil)
        script.move(by: Self.second, step: 20 * Self.second)
        _ = clock.observe()
        #expect(clock.lead == .zero)
        kept.faults.add(writing.faults)
        clock.wasStored(writing, as: kept.faults)
        // Without the step ahead, the lead would have taken 40 seconds.
        let later = clock.now().advanced(byMilliseconds: 5000)
        #expect(kept.faults.lead(at: later) != nil)
        #expect(clock.recordingTime.faults.lead(at: later) == nil)
        kept.save(clock)
        #expect(kept.faults.lead(at: later) == nil)
    }

    @Test("a lead is stored once, not with every look at the clock")
    func writes() {
        var kept = Kept()
        let clock = start(kept)
        script.move(step: -600 * Self.second)
        var writes = 0
        for _ in 0..<1300 {
            script.move(by: Self.second)
            _ = clock.observe()
            if !clock.unsaved.isEmpty { writes += 1 }
            kept.save(clock)
        }
        #expect(writes == 2, "its beginning and its end")
    }

    @Test("for a day after a leap ahead the clock is not trusted, seen or not, and at once when it is back")
    func leaps() {
        let day = 86_400 * Self.second
        var kept = Kept()
        let clock = start(kept)
        let trust = ClockTrust(clock)
        pass(1, clock, &kept)
        #expect(trust.earliest == clock.earliest)
        script.move(step: day - Self.second)
        pass(1, clock, &kept)
        #expect(trust.earliest != nil, "less than a day")
        script.move(step: 2 * day)
        #expect(trust.earliest == nil, "before the step is noticed")
        pass(1, clock, &kept)
        #expect(trust.earliest == nil)
        script.move(by: day - 10 * Self.second)
        pass(1, clock, &kept)
        #expect(trust.earliest == nil)
        script.move(by: 10 * Self.second)
        pass(1, clock, &kept)
        #expect(trust.earliest != nil, "a day has passed")
        script.move(step: 2 * day)
        pass(1, clock, &kept)
        script.move(step: -2 * day)
        #expect(trust.earliest != nil, "back, before that is noticed")
        pass(1, clock, &kept)
        #expect(trust.earliest != nil)
        trust.note(isHeld: true)
        #expect(trust.earliest == nil)
    }

    @Test("a note may have any numbers", arguments: [Int64.min, .max])
    func anyNote(_ number: Int64) {
        var kept = Kept(note: ClockNote(boot: "b", difference: number, suspectSince: number))
        let clock = start(kept)
        #expect(clock.hasLeapt == (number < 0))
        pass(2, clock, &kept)
        #expect(kept.note?.difference != number)
    }

    @Test("a leap that no process saw is found by the next one on the same start of the machine")
    func unseenLeap() {
        var kept = Kept()
        pass(1, start(kept), &kept)
        script.move(by: Self.second, step: 300 * 86_400 * Self.second)
        #expect(start(kept).hasLeapt)
        #expect(!start(kept, boot: "another").hasLeapt)
    }
}
