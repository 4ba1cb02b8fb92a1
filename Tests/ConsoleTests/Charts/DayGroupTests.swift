import Identifiers
import Interactions
import TestSupport
import Testing

@testable import Console

@Suite struct DayGroupTests {
    /// A Sunday.
    private static let sunday = CalendarDay(.noon)

    @Test(
        "a chart has at most 45 places for a bit more than a year",
        arguments: [
            (0, DayGroup.day), (45, .day), (46, .week), (190, .week), (191, .month), (367, .month),
        ] as [(Int, DayGroup)])
    func sizes(_ days: Int, _ group: DayGroup) {
        #expect(DayGroup(days: days) == group)
        let first = Self.sunday.number
        let places = group.groups((0..<days).map { CalendarDay(number: first + Int64($0)) }) { $0 }
        #expect(places.count <= 45)
        #expect(places.reduce(0) { $0 + $1.days.count } == days)
    }

    @Test("a week begins on Monday, and a month on its first day, before 1970 too")
    func firstDays() {
        #expect(DayGroup.day.first(of: Self.sunday) == Self.sunday)
        #expect(DayGroup.week.first(of: Self.sunday).description == "2026-11-16")
        #expect(DayGroup.week.first(of: CalendarDay(number: Self.sunday.number + 1)).description == "2026-11-23")
        #expect(DayGroup.month.first(of: Self.sunday).description == "2026-11-01")
        #expect(DayGroup.week.first(of: CalendarDay(number: -1)).description == "1969-12-29")
        #expect(DayGroup.month.first(of: CalendarDay(number: -1)).description == "1969-12-01")
    }

    @Test("days of one group stand together, in their order")
    func groups() {
        let days = (0..<3).map { CalendarDay(number: Self.sunday.number + Int64($0)) }
        let weeks = DayGroup.week.groups(days) { $0 }
        #expect(weeks.map { $0.first.description } == ["2026-11-16", "2026-11-23"])
        #expect(weeks.map { $0.days } == [[days[0]], [days[1], days[2]]])
    }

    @Test(
        "a group is called after its first day, or its month",
        arguments: [
            (DayGroup.day, "22 Nov", "22. Nov."), (.week, "16 Nov", "16. Nov."), (.month, "Nov 2026", "Nov. 2026"),
        ] as [(DayGroup, String, String)])
    func labels(_ group: DayGroup, _ english: String, _ german: String) {
        let first = group.first(of: Self.sunday)
        #expect(group.label(first, NumberFormat(language: .english)) == english)
        #expect(group.label(first, NumberFormat(language: .german)) == german)
    }

    @Test("a chart has every day between the first and the last one, and a place for each of some years")
    func filled() {
        let first = Self.sunday.number
        #expect(DayGroup.chart(of: []).days.isEmpty)
        let few = DayGroup.chart(of: [Self.sunday, CalendarDay(number: first + 4)])
        #expect(few.group == .day && few.days.map(\.number) == Array(first...first + 4))
        let years = DayGroup.chart(of: [Self.sunday, CalendarDay(number: first + DayGroup.maximumFilledCount - 1)])
        #expect(years.group == .month && years.days.count == Int(DayGroup.maximumFilledCount))
    }

    @Test(
        "of days that lie too far apart a chart has the counted ones alone",
        arguments: [(0, 2_932_896), (0, DayGroup.maximumFilledCount), (.min, .max), (-1, .max), (5, 4)]
            as [(Int64, Int64)])
    func apart(_ first: Int64, _ last: Int64) {
        let days = [CalendarDay(number: first), CalendarDay(number: last)]
        let chart = DayGroup.chart(of: days)
        #expect(chart.group == .month && chart.days == days)
    }
}
