package import Identifiers
package import Interactions

/// The days and the purpose of a consent report.
package struct ConsentReportSelection: Hashable, Sendable {
    /// The numbers of days ahead for which the report says how many consents end.
    package static let aheads: [Int64] = [30, 60, 90]

    /// The requested time.
    package let time: ReportSelection
    /// `nil` means all purposes.
    package let purpose: Purpose?
    /// The day in UTC on which the report is made.
    package let today: CalendarDay

    package init(_ time: ReportSelection, purpose: Purpose?, now: Timestamp) {
        self.time = time
        self.purpose = purpose
        today = CalendarDay(now)
    }

    /// The days in UTC that the time overlaps, by their numbers: at most 367.
    package var days: Range<Int64> {
        guard time.from < time.to else { return 0..<0 }
        return CalendarDay(time.from).number..<(CalendarDay(time.to.advanced(byMilliseconds: -1)).number + 1)
    }
}
