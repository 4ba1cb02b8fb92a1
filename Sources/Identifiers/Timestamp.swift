/// A time in UTC, in whole milliseconds since 1970-01-01, without leap seconds.
///
/// The domain code reads no clock: the present time is an argument.
package struct Timestamp: Hashable, Comparable, Sendable {
    package static let distantPast = Timestamp(millisecondsSince1970: Int64.min)
    package static let distantFuture = Timestamp(millisecondsSince1970: Int64.max)

    @inlinable package static var millisecondsPerHour: Int64 { 3_600_000 }
    @inlinable package static var millisecondsPerDay: Int64 { 24 * millisecondsPerHour }

    package let millisecondsSince1970: Int64

    /// How far a stored time may be ahead of the clock of another node.
    package static let toleratedLead = Duration.minutes(1)

    /// Whether a clock can have shown this time by `now`. If not, a clock that was ahead made it before a restart.
    package func isPossible(at now: Timestamp) -> Bool { self <= now.advanced(by: Self.toleratedLead) }

    package init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

    package init(secondsSince1970: Int64) { millisecondsSince1970 = secondsSince1970 * 1000 }

    package static func < (one: Self, other: Self) -> Bool {
        one.millisecondsSince1970 < other.millisecondsSince1970
    }

    /// This time moved by `milliseconds`, limited to the range of the type.
    package func advanced(byMilliseconds milliseconds: Int64) -> Timestamp {
        let (sum, overflow) = millisecondsSince1970.addingReportingOverflow(milliseconds)
        return overflow ? (milliseconds > 0 ? .distantFuture : .distantPast) : Timestamp(millisecondsSince1970: sum)
    }

    /// This time moved by `days` of 24 hours, limited to the range of the type.
    package func advanced(byDays days: Int) -> Timestamp {
        let (milliseconds, overflow) = Int64(days).multipliedReportingOverflow(by: Self.millisecondsPerDay)
        guard !overflow else { return days > 0 ? .distantFuture : .distantPast }
        return advanced(byMilliseconds: milliseconds)
    }

    /// This time moved by `duration` in whole milliseconds, whose rest is dropped. Limited to the range of the type.
    package func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds > 0 ? .distantFuture : .distantPast }
        return advanced(byMilliseconds: milliseconds).advanced(byMilliseconds: attoseconds / 1_000_000_000_000_000)
    }

    /// The time that is `duration` earlier, like ``advanced(by:)``.
    package static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        moment.advanced(by: .zero - duration)
    }
}
