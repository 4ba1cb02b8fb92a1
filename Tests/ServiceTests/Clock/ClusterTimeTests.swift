import Identifiers
import Redirect
import SQLStorage
import Synchronization
import TestSupport
import Testing

@testable import Service

@Suite struct ClusterTimeTests {
    private static let second: Int64 = 1_000_000_000

    /// The clocks of one machine.
    private final class Machine: Sendable {
        private let clocks = Mutex((wall: 500 * ClusterTimeTests.second, monotonic: 100 * ClusterTimeTests.second))

        func reading() -> ClockReading {
            clocks.withLock { ClockReading(wall: $0.wall, monotonic: $0.monotonic) }
        }

        func pass(_ nanoseconds: Int64) {
            clocks.withLock { clocks in
                clocks.wall += nanoseconds
                clocks.monotonic += nanoseconds
            }
        }

        func step(_ nanoseconds: Int64) { clocks.withLock { $0.wall += nanoseconds } }
    }

    private let machine = Machine()
    private let time: ClusterTime

    init() { time = ClusterTime { [machine] in machine.reading() } }

    @Test("the wall clock counts until the server has told its time")
    func before() {
        #expect(time.reading().wall == 500 * Self.second)
        answer(700 * Self.second, after: .zero)
        #expect(time.reading().wall == 700 * Self.second)
    }

    @Test("a process goes on with the time that the one before it noted, whatever the wall clock shows")
    func noted() throws {
        #expect(!time.isKnown && time.note == nil)
        answer(700 * Self.second, after: .zero)
        #expect(time.isKnown)
        let note = TimeNote(offset: 600 * Self.second, heardAt: .noon)
        let next = ClusterTime(noted: note) { [machine] in machine.reading() }
        #expect(next.isKnown && next.note == nil, "it heard nothing that it could note")
        machine.step(-300 * Self.second)
        machine.pass(20 * Self.second)
        #expect(next.reading().wall == 720 * Self.second)
    }

    /// The server answers a question that was sent so long ago.
    private func answer(_ nanoseconds: Int64, after roundTrip: Duration) {
        time.follow(nanoseconds, at: machine.reading().monotonic, roundTrip: roundTrip)
    }

    private func tell(_ nanoseconds: Int64, after roundTrip: Duration = .zero, _ clock: ServiceClock) {
        time.update(.server(nanoseconds: nanoseconds, askedAt: .now - roundTrip), clock, KnownUntil())
    }

    @Test("what a process leaves to the next is the server's time, and when it was heard")
    func leaving() throws {
        let clock = ServiceClock { [time] in time.reading() }
        tell(700 * Self.second, clock)
        let first = try #require(time.note)
        #expect(abs(first.offset - 600 * Self.second) < Self.second / 1000)
        #expect(first.heardAt <= clock.now())
        machine.pass(5 * Self.second)
        tell(705 * Self.second, after: .milliseconds(90), clock)
        #expect(time.note == first, "an answer that took long does not say that the clock was right until now")
        tell(705 * Self.second, clock)
        #expect(try #require(time.note).heardAt > first.heardAt + 4000)
        #expect(time.gaps.count == 1, "that of what was before the first answer")
    }

    @Test("a machine that stood still with its clocks has a gap from the last answer until the one that shows it")
    func standstill() throws {
        let clock = ServiceClock { [time] in time.reading() }
        tell(700 * Self.second, clock)
        machine.pass(Self.second / 5)
        let before = clock.now()
        // The server goes on by three seconds, the machine by a fifth of one.
        machine.pass(Self.second / 5)
        let click = clock.now()
        tell(703 * Self.second + 2 * Self.second / 5, clock)
        #expect(time.gaps.count == 2)
        let gap = try #require(time.gaps.last)
        #expect(gap.start < before && gap.start <= Timestamp(secondsSince1970: 700))
        #expect(gap.start <= click && click <= gap.end && gap.end <= clock.now())
        #expect(clock.now() >= Timestamp(secondsSince1970: 703))
        machine.pass(Self.second)
        #expect(gap.end < clock.now())
        tell(704 * Self.second + 2 * Self.second / 5, clock)
        #expect(time.gaps.count == 2, "once")
        #expect(try #require(time.note).gaps == time.gaps)
    }

    @Test(
        "a clock is wrong by what an answer shows at most, and right within what fresh nodes may differ",
        arguments: [
            (30, 0, false), (70, 0, true), (-30, 0, false), (-70, 0, true), (-3_000, 0, true), (30, 60, true),
            (0, 60, false), (3_000, 500, true), (-3_000, 500, true),
        ] as [(Int64, Int64, Bool)])
    func sizes(_ ahead: Int64, _ roundTrip: Int64, _ isGap: Bool) throws {
        let clock = ServiceClock { [time] in time.reading() }
        tell(700 * Self.second, clock)
        machine.pass(Self.second)
        tell(701 * Self.second + ahead * 1_000_000, after: .milliseconds(roundTrip), clock)
        #expect(time.gaps.count == (isGap ? 2 : 1))
    }

    @Test(
        "a node that is behind what another one wrote does not know when its clicks came since it last was not",
        arguments: [(250, false), (400, true), (20_000, true)] as [(Int64, Bool)])
    func leadOfAnotherNode(_ ahead: Int64, _ isGap: Bool) throws {
        let clock = ServiceClock { [time] in time.reading() }
        tell(700 * Self.second, clock)
        time.update(.written(Timestamp(secondsSince1970: 700), askedAt: .now), clock, KnownUntil())
        machine.pass(Self.second)
        let click = clock.now()
        tell(701 * Self.second, clock)
        // Its time has been checked with the server's since the click.
        machine.pass(Self.second)
        let latest = clock.now() + ahead
        time.update(.written(latest, askedAt: .now), clock, KnownUntil())
        #expect(clock.now() >= latest)
        #expect(time.gaps.count == (isGap ? 2 : 1))
        let gap = isGap ? time.gaps.last : nil
        #expect(gap.map { $0.start > Timestamp(secondsSince1970: 699) && $0.start <= click } ?? true)
        #expect(gap.map { $0.end >= latest } ?? true)
        time.update(.written(latest, askedAt: .now), clock, KnownUntil())
        #expect(time.gaps.count == (isGap ? 2 : 1), "once")
    }

    @Test("a time that no clock shows was forged, and makes no gap")
    func forged() {
        let clock = ServiceClock { [time] in time.reading() }
        tell(700 * Self.second, clock)
        time.update(.written(.distantFuture, askedAt: .now), clock, KnownUntil())
        #expect(time.gaps.count == 1)
    }

    @Test("of what a process left whose time is not noted, no time is known", arguments: [100, 500, 5000] as [Int64])
    func noNote(_ seconds: Int64) throws {
        let clock = ServiceClock { [time] in time.reading() }
        #expect(time.gaps == [])
        // The wall clock shows 500.
        let server = Timestamp(secondsSince1970: seconds)
        tell(seconds * Self.second, clock)
        tell(seconds * Self.second, clock)
        #expect(time.gaps == [ClockGap(from: .distantPast, through: server)])
        #expect(try #require(time.note).heardAt <= server)
        let next = ClusterTime(noted: time.note) { [machine] in machine.reading() }
        #expect(next.gaps == time.gaps, "also after a restart: it may still be in the spool")
    }

    @Test("the drain asks again after a slow answer, and takes the clock for wrong if all are slow", arguments: [1, 9])
    func checks(_ slow: Int) async throws {
        let clock = ServiceClock { [time] in time.reading() }
        tell(700 * Self.second, clock)
        let asked = Note(0)
        try await time.check(clock) {
            asked.value += 1
            tell(700 * Self.second, after: .milliseconds(asked.value <= slow ? 80 : 0), clock)
        }
        #expect(asked.value == min(slow + 1, 4))
        #expect(time.gaps.count == (slow == 1 ? 1 : 2))
        await #expect(throws: CancellationError.self) { try await time.check(clock) { throw CancellationError() } }
    }

    @Test("the time that was noted before is compared with the server's first answer, too")
    func gapOverRestart() throws {
        let earlier = ClockGap(from: .noon, through: .noon + 1)
        let note = TimeNote(offset: 600 * Self.second, heardAt: Timestamp(secondsSince1970: 690), gaps: [earlier])
        let next = ClusterTime(noted: note) { [machine] in machine.reading() }
        let clock = ServiceClock { next.reading() }
        #expect(next.gaps == [earlier])
        next.update(.server(nanoseconds: 702 * Self.second, askedAt: .now), clock, KnownUntil())
        #expect(next.gaps.count == 2)
        #expect(next.gaps.last?.start == Timestamp(secondsSince1970: 690))
    }

    @Test("of many gaps the oldest are joined, and none is forgotten")
    func manyGaps() throws {
        let clock = ServiceClock { [time] in time.reading() }
        var server = 700 * Self.second
        tell(server, clock)
        let begin = clock.now()
        for turn in 1...40 {
            machine.pass(Self.second)
            server += Self.second + Int64(turn) * Self.second
            tell(server, clock)
        }
        let gaps = time.gaps
        #expect(gaps.count == 32)
        #expect(gaps[0].start <= begin)
        #expect(zip(gaps, gaps.dropFirst()).allSatisfy { $0.end <= $1.end && $1.start <= $0.end })
    }

    @Test(
        "a note is written again when the time has moved, or after ten minutes",
        arguments: [(20, 600_000, false), (-20, 0, false), (21, 0, true), (-21, 0, true), (0, 600_001, true)]
            as [(Int64, Int64, Bool)])
    func writing(_ moved: Int64, _ passed: Int64, _ isWritten: Bool) {
        let written = TimeNote(offset: 600 * Self.second, heardAt: .noon)
        let note = TimeNote(offset: written.offset + moved * 1_000_000, heardAt: .noon + passed)
        #expect(TimeNoteService.mustWrite(note, after: written) == isWritten)
        #expect(TimeNoteService.mustWrite(note, after: nil))
    }

    @Test("half of the round trip has passed when the answer is there")
    func roundTrip() {
        answer(700 * Self.second, after: .milliseconds(80))
        #expect(time.reading().wall == 700 * Self.second + Self.second / 25)
    }

    @Test("steps of the wall clock are none of the cluster's time", arguments: [-2, 2, -3600, 3600] as [Int64])
    func steps(_ seconds: Int64) {
        answer(700 * Self.second, after: .zero)
        machine.step(seconds * Self.second)
        machine.pass(5 * Self.second)
        #expect(time.reading().wall == 705 * Self.second)
    }

    @Test("a server whose time differs is followed, one that differs by what the question took is not")
    func following() {
        answer(700 * Self.second, after: .zero)
        answer(700 * Self.second - Self.second / 100, after: .milliseconds(50))
        #expect(time.reading().wall == 700 * Self.second)
        answer(703 * Self.second, after: .zero)
        #expect(time.reading().wall == 703 * Self.second)
        answer(709 * Self.second, after: .milliseconds(101))
        #expect(time.reading().wall == 703 * Self.second, "an answer that took too long says nothing")
    }
}
