import Identifiers
import Interactions

/// How charts group days, so that a chart and its table stay short: each day alone, or by week or by month.
enum DayGroup: Sendable {
    case day
    case week
    case month

    /// Up to this many consecutive days, about ten years, each have a place in a chart, even without counts.
    static let maximumFilledCount: Int64 = 3_660

    /// For this many consecutive days: at most 45 places for a little more than a year.
    init(days: Int) { self = days <= 45 ? .day : days <= 190 ? .week : .month }

    /// The first day of a day's group. Weeks begin on Monday.
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

    /// The days of a chart, and their grouping: each day from the first to the last counted one, or, if these are too
    /// far apart, only the counted days, by month.
    /// - Parameter counted: the counted days, in order.
    static func chart(of counted: [CalendarDay]) -> (group: DayGroup, days: [CalendarDay]) {
        guard let first = counted.first, let last = counted.last else { return (.day, []) }
        let (distance, overflow) = last.number.subtractingReportingOverflow(first.number)
        guard !overflow, (0..<maximumFilledCount).contains(distance) else { return (.month, counted) }
        let days = (first.number...last.number).map { CalendarDay(number: $0) }
        return (DayGroup(days: days.count), days)
    }

    func label(_ first: CalendarDay, _ format: NumberFormat) -> String {
        switch self {
        case .day, .week: format.shortDay(first.description)
        case .month: format.shortMonth(first.description)
        }
    }

    /// The days of each group, in order, with the first day of the group.
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
