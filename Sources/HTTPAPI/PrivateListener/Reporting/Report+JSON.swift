import Consent
import Identifiers
import Interactions
import JSON
import Reports

extension JSONWriter {
    /// The members `composed`, `tracked` and `untracked`, which count decisions.
    mutating func decisions(_ counts: [DecisionReason: Int]) {
        member("composed", counts.values.countSum)
        member("tracked", counts.filter { $0.key.outcome == .tracked }.values.countSum)
        untracked(counts)
    }

    private mutating func untracked(_ counts: [DecisionReason: Int]) {
        key("untracked")
        object { writer in
            for reason in DecisionReason.allCases where reason.outcome == .untracked {
                if let count = counts[reason], count > 0 { writer.member(reason.rawValue, count) }
            }
        }
    }

    /// The members `people`, `rates` and `bounds`.
    /// - Parameter purposes: the purposes of the messages. Each share names those that its people were asked for.
    mutating func figures(_ people: PeopleFigures, _ purposes: PerActivity<[Purpose]>) {
        key("people")
        object { writer in
            writer.member("composed", people.composed)
            writer.member("tracked", people.tracked[.clicks])
            writer.untracked(people.untracked[.clicks])
            writer.key("opens")
            writer.object { writer in
                writer.member("tracked", people.tracked[.opens])
                writer.untracked(people.untracked[.opens])
            }
            writer.member("clickers", people.responders?.clickers)
            writer.member("openers", people.openers)
            writer.member("possibleOpeners", people.possibleOpeners)
        }
        key("rates")
        object { writer in
            for (name, activity, rate) in people.rates { writer.rate(name, rate, purposes[activity]) }
        }
        key("bounds")
        object { writer in
            for (name, activity, bounds) in people.bounds {
                writer.key(name)
                writer.object { writer in
                    writer.member("n", bounds.n)
                    writer.share("low", bounds.range?.low)
                    writer.share("high", bounds.range?.high)
                    writer.purposes(purposes[activity])
                }
            }
        }
    }

    private mutating func rate(_ name: String, _ rate: Rate, _ purposes: [Purpose]) {
        key(name)
        object { writer in
            writer.share("value", rate.estimate?.value)
            writer.member("n", rate.n)
            writer.share("low", rate.estimate?.low)
            writer.share("high", rate.estimate?.high)
            writer.purposes(purposes)
        }
    }

    private mutating func purposes(_ purposes: [Purpose]) {
        key("purposes")
        array { writer in
            for purpose in purposes { writer.string(purpose.description) }
        }
    }

    private mutating func share(_ name: String, _ share: Double?) {
        key(name)
        if let share { raw(share.decimal.utf8) } else { null() }
    }

    mutating func interactions(_ counts: ActivityCounts, hasPeople: Bool) {
        key("interactions")
        object { writer in
            for kind in InteractionKind.allCases {
                guard let tally = counts.tallies[.kind(kind)] else { continue }
                writer.key(kind.rawValue)
                writer.object { writer in
                    writer.member("total", tally.total)
                    if hasPeople { writer.member("unique", tally.people) }
                    writer.member("automated", tally.automated)
                    writer.member("suspected", tally.suspected)
                }
            }
        }
    }

    mutating func opens(_ counts: ActivityCounts, hasPeople: Bool) {
        key("opens")
        object { writer in
            for visitor in VisitorClass.byEvidence {
                let tally = counts[.opens(visitor)]
                writer.key(visitor.rawValue)
                writer.object { writer in
                    writer.member("total", tally.total)
                    if hasPeople { writer.member("people", tally.people) }
                }
            }
        }
    }

    mutating func days(_ days: [(key: CalendarDay, value: PeriodCounts)], hasPeople: Bool) {
        objects("days", days) { day, writer in
            writer.member("day", day.key.description)
            writer.period(day.value, hasPeople: hasPeople)
        }
    }

    /// The members of one day or hour.
    mutating func period(_ counts: PeriodCounts, hasPeople: Bool) {
        member("clicks", counts.clicks.total)
        if hasPeople { member("clickers", counts.clicks.people) }
        member("opens", counts.opens.total)
        if hasPeople { member("openers", counts.opens.people) }
    }
}

extension PeopleFigures {
    /// Rates of people who are tracked for an activity, by their names; coverage is of all people.
    var rates: [(name: String, activity: TrackedActivity, rate: Rate)] {
        [
            ("coverage", .clicks, coverage(of: .clicks)), ("opensCoverage", .opens, coverage(of: .opens)),
            ("clickers", .clicks, clickRate), ("openers", .opens, openRate),
            ("openersAtMost", .opens, possibleOpenRate),
        ]
    }

    var bounds: [(name: String, activity: TrackedActivity, bounds: Bounds)] {
        [("clickers", .clicks, clickBounds), ("openers", .opens, openBounds)]
    }
}
