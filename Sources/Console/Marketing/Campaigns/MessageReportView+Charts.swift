import Consent
import Identifiers
import Interactions
import Messages
import Pages
import Reports

extension MessageReportView {
    private static let mostBars = 12
    private static let mostRows = 50

    private func table(
        _ caption: String, _ columns: [ConsoleTable.Column], _ rows: [[ConsoleTable.Cell]], whenEmpty: String = ""
    ) -> ConsoleTable {
        ConsoleTable(name: "shown", caption: caption, columns: columns, rows: rows, whenEmpty: whenEmpty)
    }

    /// How many people clicked, in one sentence.
    var finding: String {
        guard figures.composed > 0 else { return texts.noneComposed }
        guard figures.tracked[.clicks] > 0 else { return texts.noneTracked }
        guard let clickers = figures.responders?.clickers, let rate = figures.clickRate.estimate else { return texts.notKept }
        return texts.clickedOfTracked(
            format.integer(clickers), format.integer(figures.tracked[.clicks]), format.percent(rate.low),
            format.percent(rate.high))
    }

    /// Composed, tracked, clicked; then untracked, by reason.
    var funnel: HTML {
        let (composed, tracked) = (figures.composed, figures.tracked[.clicks])
        func share(_ count: Int, of whole: Int) -> String { whole > 0 ? format.percent(Double(count) / Double(whole)) : "" }
        var bars = [
            BarChart.Bar(texts.composedBar, composed, colour: 4),
            BarChart.Bar(texts.trackedBar, tracked, note: share(tracked, of: composed), colour: 2),
        ]
        if let clickers = figures.responders?.clickers {
            bars.append(.init(texts.clickedBar, clickers, note: share(clickers, of: composed)))
        }
        bars += untracked.filter { $0.clicks > 0 }.map { reason, clicks, _ in
            BarChart.Bar(words.name(of: reason), clicks, note: share(clicks, of: composed), colour: nil)
        }
        var rows: [[ConsoleTable.Cell]] = [
            [.text(texts.composedBar), .number(composed), .number(composed)],
            [.text(texts.trackedBar), .number(tracked), .number(figures.tracked[.opens])],
            [.text(texts.clickedBar), figures.responders.map { .number($0.clickers) } ?? .none, .none],
        ]
        rows += untracked.map { [.text(words.name(of: $0.reason)), .number($0.clicks), .number($0.opens)] }
        return BarChart(bars: bars, whole: composed).html(
            finding: finding,
            table: table(
                texts.funnel,
                [.init("", texts.measure), .init("", texts.people, .number), .init("", texts.forOpens, .number)], rows),
            format)
    }

    var linkChart: HTML {
        let links = mostFollowed
        let bars = links.prefix(Self.mostBars).map { link in
            BarChart.Bar(
                name(of: link.link), link.counts.clicks,
                note: texts.byPeople(format.integer(link.counts.unique)), hint: Self.place(of: link.link.target))
        }
        let finding: String =
            if let best = links.first, best.counts.clicks > 0 {
                texts.bestLink(
                    name(of: best.link), format.integer(best.counts.clicks), format.integer(best.counts.unique))
            } else {
                texts.noClicks
            }
        let rows = links.prefix(Self.mostRows).map { link -> [ConsoleTable.Cell] in
            [
                .text(name(of: link.link)), .number(Int(link.link.index.rawValue)), .text(location(of: link.link)),
                .text(Self.place(of: link.link.target)), .number(link.counts.clicks), .number(link.counts.unique),
            ]
        }
        return BarChart(bars: bars).html(
            finding: finding,
            table: table(
                texts.links,
                [
                    .init("", texts.link), .init("", "#", .number), .init("", texts.place), .init("", texts.target),
                    .init("", texts.clicks, .number), .init("", texts.clickers, .number),
                ], Array(rows)), format)
    }

    /// Where the page does not have all links.
    var linkNote: String? {
        let count = links.count
        guard count > Self.mostBars else { return nil }
        return texts.firstLinks(format.integer(Self.mostBars), format.integer(count))
    }

    private func periodRow(_ name: String, _ counts: PeriodCounts) -> [ConsoleTable.Cell] {
        [
            .text(name), .number(counts.clicks.total), .number(counts.clicks.people), .number(counts.opens.total),
            .number(counts.opens.people),
        ]
    }

    private func periodColumns(_ first: String) -> [ConsoleTable.Column] {
        [
            .init("", first), .init("", texts.clicks, .number), .init("", texts.clickers, .number),
            .init("", texts.opens, .number), .init("", texts.openers, .number),
        ]
    }

    var hourChart: HTML {
        let hours = counts.activity.counts.hours
        let clicks = Dictionary(uniqueKeysWithValues: hours.map { ($0.key, $0.value.clicks.total) })
        let all = counts.activity.counts.days.reduce(0) { $0 + $1.value.clicks.total }
        let firstDay = clicks.filter { $0.key < 24 }.values.reduce(0, +)
        let finding =
            all == 0
            ? texts.noClicks
            : texts.early(format.integer(all), format.integer(clicks[0] ?? 0), format.integer(firstDay))
        let places = 0..<ActivityCounter.hours
        return ColumnChart(
            labels: places.map { "\($0)\u{A0}h" },
            series: [.init(name: texts.clicks, numbers: places.map { clicks[$0] ?? 0 })]
        ).html(
            finding: finding,
            table: table(
                texts.hours, periodColumns(texts.hour), hours.map { periodRow(String($0.key), $0.value) },
                whenEmpty: texts.noInteractions), format)
    }

    /// Every day from the first one with an interaction to the last one; many days are put together.
    var dayChart: HTML {
        let counted = counts.activity.counts.days
        let clicks = Dictionary(uniqueKeysWithValues: counted.map { ($0.key, $0.value.clicks.total) })
        let (first, last) = (counted.first?.key.number ?? 0, counted.last?.key.number ?? -1)
        let group = DayGroup(days: Int(last - first + 1))
        let days = first > last ? [] : (first...last).map { CalendarDay(number: $0) }
        let groups = group.groups(days) { $0 }
        let best = counted.max { one, other in one.value.clicks.total < other.value.clicks.total }
        let finding: String =
            if let best, best.value.clicks.total > 0 {
                texts.bestDay(format.shortDay(best.key.description), format.integer(best.value.clicks.total))
            } else {
                texts.noClicks
            }
        let shown = counted.prefix(Self.mostRows).map { periodRow($0.key.description, $0.value) }
        return ColumnChart(
            labels: groups.map { group.label($0.first, format) },
            series: [
                .init(name: texts.clicks, numbers: groups.map { $0.days.reduce(0) { $0 + (clicks[$1] ?? 0) } })
            ]
        ).html(
            finding: finding,
            table: table(texts.days, periodColumns(texts.day), shown, whenEmpty: texts.noInteractions), format)
    }

    var openChart: HTML {
        let tallies = VisitorClass.byEvidence.map { ($0, counts.activity.counts[.opens($0)]) }
        let totals = Dictionary(uniqueKeysWithValues: tallies.map { ($0.0, $0.1.total) })
        let finding =
            totals.values.allSatisfy { $0 == 0 }
            ? texts.noOpens
            : texts.openFinding(
                format.integer(totals[.person] ?? 0), format.integer(totals[.machine] ?? 0),
                format.integer(totals[.cannotTell] ?? 0))
        let bars = tallies.map { visitor, tally in
            BarChart.Bar(
                words.name(of: visitor), tally.total, note: texts.byPeople(format.integer(tally.people)),
                colour: visitor == .person ? 1 : visitor == .cannotTell ? 3 : nil)
        }
        return BarChart(bars: bars).html(
            finding: finding,
            table: table(
                texts.openKinds,
                [.init("", texts.visitor), .init("", texts.opens, .number), .init("", texts.people, .number)],
                tallies.map { [.text(words.name(of: $0.0)), .number($0.1.total), .number($0.1.people)] }), format)
    }

    var interactionTable: HTML {
        table(
            texts.interactions,
            [
                .init("", texts.kind), .init("", texts.total, .number), .init("", texts.people, .number),
                .init("", texts.automated, .number), .init("", texts.suspected, .number),
            ],
            kinds.map { kind, tally in
                [.text(words.name(of: kind))]
                    + [tally.total, tally.people, tally.automated, tally.suspected].map { .number($0) }
            }, whenEmpty: texts.noInteractions
        ).html(format)
    }
}
