import Consent
import Identifiers
import Interactions

/// The numbers of decisions, by reason: of a period, or of a message.
struct DecisionNumbers: Sendable {
    let all: [DecisionReason: Int]
    /// `nil` for a message, which is counted as a whole.
    let time: Time?

    /// The decisions on each day.
    struct Time: Sendable {
        /// All days, in order, including those without a decision.
        let days: [CalendarDay]
        /// The days with decisions.
        let counts: [CalendarDay: [DecisionReason: Int]]

        /// The days grouped for a chart.
        func groups() -> (group: DayGroup, parts: [(first: CalendarDay, counts: [DecisionReason: Int])]) {
            let group = DayGroup(days: days.count)
            let parts = group.groups(days) { $0 }.map { first, days in
                (first: first, counts: DecisionNumbers.sum(days.compactMap { counts[$0] }))
            }
            return (group, parts)
        }
    }

    /// - Parameters:
    ///   - first: the first day that the period touches.
    ///   - last: the last one; before `first` if the period is empty.
    init(_ counts: [CalendarDay: [DecisionReason: Int]], from first: CalendarDay, through last: CalendarDay) {
        all = Self.sum(Array(counts.values))
        let days = first > last ? [] : (first.number...last.number).map { CalendarDay(number: $0) }
        time = Time(days: days, counts: counts)
    }

    init(ofMessage counts: [DecisionReason: Int]) {
        all = counts
        time = nil
    }

    /// - Parameter outcome: `nil` for both.
    static func count(_ counts: [DecisionReason: Int], _ outcome: DecisionOutcome? = nil) -> Int {
        counts.filter { outcome == nil || $0.key.outcome == outcome }.values.countSum
    }

    private static func sum(_ counts: [[DecisionReason: Int]]) -> [DecisionReason: Int] {
        counts.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: Int.countSum) }
    }
}
