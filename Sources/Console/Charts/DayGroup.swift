import Identifiers
import Interactions

/// How charts put days together, so that a chart and its table stay short: each day alone, or by week or by month.
enum DayGroup: Sendable {
    case day
    case week
    case month

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
