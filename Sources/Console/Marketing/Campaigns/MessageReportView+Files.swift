import Consent
import Identifiers
import Interactions
import Messages
import Reports

extension MessageReportView {
    /// All numbers of the page under the API's names.
    var files: [ConsoleTable] {
        [
            people, untrackedPeople, rates, bounds, decisionCounts, linkCounts, periods("days", "day"),
            periods("hours", "hour"), openCounts, interactionCounts,
        ]
    }

    private var people: ConsoleTable {
        let counted: [(String, Int?)] = [
            ("composed", figures.composed), ("tracked", figures.tracked[.clicks]),
            ("trackedOpens", figures.tracked[.opens]), ("clickers", figures.responders?.clickers),
            ("openers", figures.openers), ("possibleOpeners", figures.possibleOpeners),
        ]
        return ConsoleTable(
            file: "people", texts.people, ["measure", "count"],
            counted.map { [.text($0.0), $0.1.map { .number($0) } ?? .none] })
    }

    private var untrackedPeople: ConsoleTable {
        ConsoleTable(
            file: "untracked", texts.untracked, ["reason", "people", "opens"],
            untracked.map { [.text($0.reason.rawValue), .number($0.clicks), .number($0.opens)] })
    }

    private var rates: ConsoleTable {
        let rates: [(String, Rate, String)] = [
            ("coverage", figures.coverage(of: .clicks), purposes(of: .clicks)),
            ("opensCoverage", figures.coverage(of: .opens), purposes(of: .opens)),
            ("clickers", figures.clickRate, purposes(of: .clicks)), ("openers", figures.openRate, purposes(of: .opens)),
            ("openersAtMost", figures.possibleOpenRate, purposes(of: .opens)),
        ]
        return ConsoleTable(
            file: "rates", texts.rates, ["rate", "value", "n", "low", "high", "purposes"],
            rates.map { name, rate, purposes in
                [
                    .text(name), .share(rate.estimate?.value), .number(rate.n), .share(rate.estimate?.low),
                    .share(rate.estimate?.high), .text(purposes),
                ]
            })
    }

    private var bounds: ConsoleTable {
        let bounds = [
            ("clickers", figures.clickBounds, purposes(of: .clicks)),
            ("openers", figures.openBounds, purposes(of: .opens)),
        ]
        return ConsoleTable(
            file: "bounds", texts.bounds, ["rate", "n", "low", "high", "purposes"],
            bounds.map { name, bounds, purposes in
                [
                    .text(name), .number(bounds.n), .share(bounds.range?.low), .share(bounds.range?.high),
                    .text(purposes),
                ]
            })
    }

    private var decisionCounts: ConsoleTable {
        ConsoleTable(
            file: "decisions", texts.decisions, ["reason", "count"],
            DecisionReason.allCases.compactMap { reason in
                counts.decisions[reason].map { [.text(reason.rawValue), .number($0)] }
            })
    }

    private var linkCounts: ConsoleTable {
        ConsoleTable(
            file: "links", texts.links, ["index", "where", "label", "url", "clicks", "unique"],
            links.map { link in
                [
                    .number(Int(link.link.index.rawValue)), .text(link.link.location),
                    link.link.label.map { .text($0) } ?? .none, .text(link.link.target.text),
                    .number(link.counts.clicks), .number(link.counts.unique),
                ]
            } + (addedClicks.map { [[.none, .text("added"), .none, .none, .number($0), .none]] } ?? []))
    }

    private func periods(_ name: String, _ column: String) -> ConsoleTable {
        let activity = counts.activity.counts
        let periods: [(ConsoleTable.Cell, PeriodCounts)] =
            name == "days"
            ? activity.days.map { (.text($0.key.description), $0.value) }
            : activity.hours.map { (.number($0.key), $0.value) }
        return ConsoleTable(
            file: name, name == "days" ? texts.days : texts.hours, [column, "clicks", "clickers", "opens", "openers"],
            periods.map { cell, counts in
                [
                    cell, .number(counts.clicks.total), .number(counts.clicks.people), .number(counts.opens.total),
                    .number(counts.opens.people),
                ]
            })
    }

    private var openCounts: ConsoleTable {
        ConsoleTable(
            file: "opens", texts.openKinds, ["visitor", "total", "people"],
            VisitorClass.byEvidence.map { visitor in
                let tally = counts.activity.counts[.opens(visitor)]
                return [.text(visitor.rawValue), .number(tally.total), .number(tally.people)]
            })
    }

    private var interactionCounts: ConsoleTable {
        ConsoleTable(
            file: "interactions", texts.interactions, ["kind", "total", "unique", "automated", "suspected"],
            kinds.map { kind, tally in
                [.text(kind.rawValue)]
                    + [tally.total, tally.people, tally.automated, tally.suspected].map { .number($0) }
            })
    }

    var kinds: [(kind: InteractionKind, tally: ActivityTally)] {
        InteractionKind.allCases.compactMap { kind in
            counts.activity.counts.tallies[.kind(kind)].map { (kind, $0) }
        }
    }
}
