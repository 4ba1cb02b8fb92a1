import Glibc
import Identifiers

/// One reading of the system's clocks, in nanoseconds.
struct ClockReading: Hashable, Sendable {
    /// Since 1970.
    let wall: Int64
    /// Since the machine was booted, including the time while it was suspended.
    let monotonic: Int64

    /// The time that the wall clock shows.
    var timestamp: Timestamp { Timestamp(millisecondsSince1970: wall / 1_000_000) }

    /// The wall clock is read first: a thread that is delayed between the two readings gets a wall clock that is late,
    /// never one that is ahead, and service time follows only one that is ahead.
    static func system() -> ClockReading {
        let wall = nanoseconds(CLOCK_REALTIME)
        return ClockReading(wall: wall, monotonic: nanoseconds(CLOCK_BOOTTIME))
    }

    /// What one of the system's clocks shows (clock_gettime(2)).
    static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        // Read as two words: a conversion costs each click seven hundred instructions, and the members of `timespec` are
        // in two modules that this target imports.
        return withUnsafeBytes(of: time) { words in
            let seconds = Int64(words.load(as: Int.self))
            let rest = Int64(words.load(fromByteOffset: MemoryLayout<Int>.stride, as: Int.self))
            return seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ rest
        }
    }

    /// A whole number of them, as `timespec` has it. A time beyond the years of the clock wraps around.
    static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds.multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ attoseconds / 1_000_000_000
    }
}

extension Timestamp {
    /// The present time of the wall clock, which may step. For the log, and for
    /// the dates of backups, which other programs compare with their clocks; everything else uses ``ServiceClock``.
    static var now: Timestamp { ClockReading.system().timestamp }
}
