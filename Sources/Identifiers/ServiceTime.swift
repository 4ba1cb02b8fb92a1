/// Service time as a function of the monotonic clock. It follows the wall clock forward and never goes back.
///
/// All readings are nanoseconds: the wall clock since 1970, the monotonic clock since the machine was booted.
///
/// - When the wall clock is ahead of service time, service time follows it at once (``following(wall:monotonic:)``).
/// - When the wall clock steps back, service time continues with the monotonic clock. The difference is the *lead*.
///   While there is a lead, service time runs at half pace (``paced(wall:monotonic:)``), so a lead of an hour is gone
///   after two hours. Service time never stops.
///
/// A value is one 64-bit word (``word``), so that a clock can keep it in one atomic variable.
package struct ServiceTime: Hashable, Sendable {
    package enum Pace: Int64, Sendable {
        /// A second of service time is a second of the monotonic clock.
        case full
        /// A second of service time is two seconds of the monotonic clock.
        case half
    }

    package let pace: Pace
    /// Service time at zero of the monotonic clock.
    private let origin: Int64

    /// A smaller lead is the noise of two readings, and does not change the pace.
    package static let toleratedLead = Duration.milliseconds(10)
    /// A wall clock that is ahead by less than this is not followed, because each change is a write to memory that all
    /// threads read. In nanoseconds like the readings, because it is compared for each click.
    package static let toleratedLag: Int64 = 100_000
    /// The latest service time: 50 days before the last time that an id can carry, in 2109.
    package static let end: Int64 = ((1 << 42) - (1 << 32)) * 1_000_000

    /// Service time that is `time`, from 1970 to ``end``, at a reading of the monotonic clock.
    package init(_ time: Int64, at monotonic: Int64, _ pace: Pace = .full) {
        self.pace = pace
        origin = min(max(time, 0), Self.end) - (pace == .full ? monotonic : monotonic / 2)
    }

    package init(word: Int64) {
        pace = word & 1 == 0 ? .full : .half
        origin = word >> 1
    }

    package var word: Int64 { origin << 1 | pace.rawValue }

    /// Service time at a reading of the monotonic clock.
    package func nanoseconds(at monotonic: Int64) -> Int64 {
        min(origin + (pace == .full ? monotonic : monotonic / 2), Self.end)
    }

    /// How far service time is ahead of the wall clock; zero if it is not.
    package func lead(wall: Int64, monotonic: Int64) -> Duration {
        .nanoseconds(max(nanoseconds(at: monotonic) - wall, 0))
    }

    /// The same value or, if the wall clock is ahead, service time that continues from there at full pace.
    package func following(wall: Int64, monotonic: Int64) -> ServiceTime {
        guard min(wall, Self.end) - nanoseconds(at: monotonic) > Self.toleratedLag else { return self }
        return ServiceTime(wall, at: monotonic)
    }

    /// The same value or, if there is a lead, service time that continues from here at half pace.
    package func paced(wall: Int64, monotonic: Int64) -> ServiceTime {
        guard pace == .full, lead(wall: wall, monotonic: monotonic) > Self.toleratedLead else { return self }
        return ServiceTime(nanoseconds(at: monotonic), at: monotonic, .half)
    }
}
