package import Identifiers
package import Interactions

/// Which days and which purpose a consent report is about.
package struct ConsentReportSelection: Hashable, Sendable {
    /// For which times ahead the report says what ends, in days.
    package static let aheads: [Int64] = [30, 60, 90]

    /// As it was asked for.
    package let time: ReportSelection
    /// All purposes where it is missing.
    package let purpose: Purpose?
    /// The day in UTC on which the report is made.
    package let today: CalendarDay

    package init(_ time: ReportSelection, purpose: Purpose?, now: Timestamp) {
        self.time = time
        self.purpose = purpose
        today = CalendarDay(now)
    }

    /// The days in UTC that the time touches, by their numbers: at most 367.
    package var days: Range<Int64> {
        guard time.from < time.to else { return 0..<0 }
        return CalendarDay(time.from).number..<(CalendarDay(time.to.advanced(byMilliseconds: -1)).number + 1)
    }
}
