import Identifiers
import Interactions

/// How charts put days together, so that a chart and its table stay short: each day alone, or by week or by month.
enum DayGroup: Sendable {
    case day
    case week
    case month

    /// So many days in a row, about ten years, have a place each in a chart, also those on which nothing was counted.
    static let mostFilled: Int64 = 3_660

    /// For so many days in a row: at most 45 places for a bit more than a year.
    init(days: Int) { self = days <= 45 ? .day : days <= 190 ? .week : .month }

    /// The first day of the group that a day is in. Weeks begin on Monday.
    func first(of day: CalendarDay) -> CalendarDay {
        switch self {
        case .day: return day
        case .week:
            // 1970-01-01 was a Thursday.
            let weekday = ((day.number + 3) % 7 + 7) % 7
            return CalendarDay(number: day.number - weekday)
        case .month:
            let text = day.description.prefix(7) + "-01T00:00:00Z"
            return (try? Timestamp(rfc3339: String(text))).map(CalendarDay.init) ?? day
        }
    }

    /// The days of a chart, and how it puts them together: each day from the first to the last of those that were
    /// counted, or, where these lie too far apart, the counted ones alone, by month.
    /// - Parameter counted: in order.
    static func chart(of counted: [CalendarDay]) -> (group: DayGroup, days: [CalendarDay]) {
        guard let first = counted.first, let last = counted.last else { return (.day, []) }
        let (distance, overflow) = last.number.subtractingReportingOverflow(first.number)
        guard !overflow, (0..<mostFilled).contains(distance) else { return (.month, counted) }
        let days = (first.number...last.number).map { CalendarDay(number: $0) }
        return (DayGroup(days: days.count), days)
    }

    func label(_ first: CalendarDay, _ format: NumberFormat) -> String {
        switch self {
        case .day, .week: format.shortDay(first.description)
        case .month: format.shortMonth(first.description)
        }
    }

    /// The days of each group, in order, by the first day of the group.
    func groups<Value>(_ days: [Value], _ day: (Value) -> CalendarDay) -> [(first: CalendarDay, days: [Value])] {
        var groups: [(first: CalendarDay, days: [Value])] = []
        for value in days {
            let first = first(of: day(value))
            if groups.last?.first == first {
                groups[groups.count - 1].days.append(value)
            } else {
                groups.append((first, [value]))
            }
        }
        return groups
    }
}
