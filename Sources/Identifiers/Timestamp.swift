/// A moment in UTC, in whole milliseconds since 1970-01-01, without leap seconds.
///
/// The domain reads no clock: the present is an argument.
package struct Timestamp: Hashable, Comparable, Sendable {
    package static let distantPast = Timestamp(millisecondsSince1970: Int64.min)
    package static let distantFuture = Timestamp(millisecondsSince1970: Int64.max)

    package let millisecondsSince1970: Int64

    package init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

    package init(secondsSince1970: Int64) { millisecondsSince1970 = secondsSince1970 * 1000 }

    package static func < (one: Self, other: Self) -> Bool {
        one.millisecondsSince1970 < other.millisecondsSince1970
    }

    /// This moment moved by `milliseconds`, held within the range of the type.
    package func advanced(byMilliseconds milliseconds: Int64) -> Timestamp {
        let (sum, overflow) = millisecondsSince1970.addingReportingOverflow(milliseconds)
        return overflow ? (milliseconds > 0 ? .distantFuture : .distantPast) : Timestamp(millisecondsSince1970: sum)
    }

    /// This moment moved by `days` of 24 hours, held within the range of the type.
    package func advanced(byDays days: Int) -> Timestamp {
        let (milliseconds, overflow) = Int64(days).multipliedReportingOverflow(by: 86_400_000)
        guard !overflow else { return days > 0 ? .distantFuture : .distantPast }
        return advanced(byMilliseconds: milliseconds)
    }

    /// This moment moved by `duration` in whole milliseconds, the rest of which is dropped. Held within the range of the
    /// type.
    package func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds > 0 ? .distantFuture : .distantPast }
        return advanced(byMilliseconds: milliseconds).advanced(byMilliseconds: attoseconds / 1_000_000_000_000_000)
    }

    /// The moment `duration` before, as ``advanced(by:)`` says.
    package static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        moment.advanced(by: .zero - duration)
    }
}
