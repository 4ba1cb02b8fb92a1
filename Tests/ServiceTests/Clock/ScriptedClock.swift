import Synchronization

@testable import Service

/// The system's clocks as a test moves them. Reading them takes a microsecond.
final class ScriptedClock: Sendable {
    static let second: Int64 = 1_000_000_000
    static let noon: Int64 = 1_795_348_800 * second

    private let state = Mutex(ClockReading(wall: noon, monotonic: 0))

    var source: @Sendable () -> ClockReading {
        { [self] in
            state.withLock { state in
                state = ClockReading(wall: state.wall + 1000, monotonic: state.monotonic + 1000)
                return state
            }
        }
    }

    /// Lets time go by, and moves the wall clock besides.
    func move(by elapsed: Int64 = 0, step: Int64 = 0) {
        state.withLock { state in
            state = ClockReading(wall: state.wall + elapsed + step, monotonic: state.monotonic + elapsed)
        }
    }
}
