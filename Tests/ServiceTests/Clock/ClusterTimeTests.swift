import Synchronization
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
