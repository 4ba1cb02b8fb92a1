/// A moment in UTC, in whole milliseconds since 1970-01-01, without leap seconds.
///
/// The domain reads no clock: whoever needs the present is given it.
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
}
