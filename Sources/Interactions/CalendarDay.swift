package import Identifiers

/// A day in UTC.
package struct CalendarDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 1970-01-01 to 9999-12-31.
    private static let storable: ClosedRange<Int64> = 0...2_932_896

    /// Days since 1970-01-01.
    package let number: Int64

    package init(number: Int64) { self.number = number }

    /// Reads a stored day; `nil` for a number outside 1970-01-01 to 9999-12-31.
    package init?(stored number: Int64) {
        guard Self.storable.contains(number) else { return nil }
        self.number = number
    }

    /// The day on which `instant` is.
    package init(_ instant: Timestamp) {
        let (days, rest) = instant.millisecondsSince1970.quotientAndRemainder(
            dividingBy: Timestamp.millisecondsPerDay)
        number = rest < 0 ? days - 1 : days
    }

    /// In the form of RFC 3339: `2026-11-22`.
    package var description: String {
        String(Timestamp(millisecondsSince1970: number &* Timestamp.millisecondsPerDay).rfc3339.prefix(10))
    }

    package static func < (one: Self, other: Self) -> Bool { one.number < other.number }
}
