package import Interactions

/// The counts of one day or one hour.
package struct PeriodCounts: Hashable, Sendable {
    /// Clicks of people, and the number of different people who made them.
    package var clicks = ActivityTally.zero
    /// Opens of people, and the number of different people who made them.
    package var opens = ActivityTally.zero
}

extension ActivityCounts {
    /// The days (UTC) with counts, in order.
    package var days: [(key: CalendarDay, value: PeriodCounts)] {
        periods { counter, tally in
            switch counter {
            case .clicksOnDay(let day): (day, PeriodCounts(clicks: tally))
            case .opensOnDay(let day): (day, PeriodCounts(opens: tally))
            case .kind, .link, .opens, .clicksInHour, .opensInHour, .uncounted: nil
            }
        }
    }

    /// The hours after the message was made that have counts, in order.
    package var hours: [(key: Int, value: PeriodCounts)] {
        periods { counter, tally in
            switch counter {
            case .clicksInHour(let hour): (hour, PeriodCounts(clicks: tally))
            case .opensInHour(let hour): (hour, PeriodCounts(opens: tally))
            case .kind, .link, .opens, .clicksOnDay, .opensOnDay, .uncounted: nil
            }
        }
    }

    private func periods<Key: Hashable & Comparable>(
        _ period: (ActivityCounter, ActivityTally) -> (Key, PeriodCounts)?
    ) -> [(key: Key, value: PeriodCounts)] {
        var periods: [Key: PeriodCounts] = [:]
        for (counter, tally) in tallies {
            guard let (key, counts) = period(counter, tally) else { continue }
            periods[key, default: PeriodCounts()].clicks += counts.clicks
            periods[key, default: PeriodCounts()].opens += counts.opens
        }
        return periods.sorted { $0.key < $1.key }
    }
}
