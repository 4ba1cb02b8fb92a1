import Identifiers
import Redirect
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
        time.note(700 * Self.second, roundTrip: .zero)
        #expect(time.reading().wall == 700 * Self.second)
    }

    @Test("a process goes on with the time that the one before it noted, whatever the wall clock shows")
    func noted() throws {
        #expect(!time.isKnown && time.note == nil)
        time.note(700 * Self.second, roundTrip: .zero)
        #expect(time.isKnown)
        let note = TimeNote(offset: 600 * Self.second, heardAt: .noon)
        let next = ClusterTime(noted: note) { [machine] in machine.reading() }
        #expect(next.isKnown && next.note == nil, "it heard nothing that it could note")
        machine.step(-300 * Self.second)
        machine.pass(20 * Self.second)
        #expect(next.reading().wall == 720 * Self.second)
    }

    @Test("what a process leaves to the next is the server's time, and when it was heard")
    func leaving() throws {
        let clock = ServiceClock { [time] in time.reading() }
        time.note(.server(nanoseconds: 700 * Self.second, roundTrip: .zero), clock, KnownUntil())
        let first = TimeNote(offset: 600 * Self.second, heardAt: Timestamp(secondsSince1970: 700))
        #expect(time.note == first)
        machine.pass(5 * Self.second)
        time.note(.server(nanoseconds: 1, roundTrip: .seconds(1)), clock, KnownUntil())
        #expect(time.note == first, "an answer that took too long says nothing")
        time.note(.server(nanoseconds: 705 * Self.second, roundTrip: .zero), clock, KnownUntil())
        #expect(time.note == TimeNote(offset: 600 * Self.second, heardAt: Timestamp(secondsSince1970: 705)))
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
        time.note(700 * Self.second, roundTrip: .milliseconds(80))
        #expect(time.reading().wall == 700 * Self.second + Self.second / 25)
    }

    @Test("steps of the wall clock are none of the cluster's time", arguments: [-2, 2, -3600, 3600] as [Int64])
    func steps(_ seconds: Int64) {
        time.note(700 * Self.second, roundTrip: .zero)
        machine.step(seconds * Self.second)
        machine.pass(5 * Self.second)
        #expect(time.reading().wall == 705 * Self.second)
    }

    @Test("a server whose time differs is followed, one that differs by what the question took is not")
    func following() {
        time.note(700 * Self.second, roundTrip: .zero)
        time.note(700 * Self.second - Self.second / 100, roundTrip: .milliseconds(50))
        #expect(time.reading().wall == 700 * Self.second)
        time.note(703 * Self.second, roundTrip: .zero)
        #expect(time.reading().wall == 703 * Self.second)
        time.note(709 * Self.second, roundTrip: .milliseconds(101))
        #expect(time.reading().wall == 703 * Self.second, "an answer that took too long says nothing")
    }
}
