import Consent
import Identifiers
import Interactions
import Messages
import Pages
import Reports

extension MessageReportView {
    private static let maximumBarCount = 12
    private static let maximumRowCount = 50

    /// How many people clicked, in one sentence.
    var finding: String {
        guard figures.composed > 0 else { return texts.noneComposed }
        guard figures.tracked[.clicks] > 0 else { return texts.noneTracked }
        guard let clickers = figures.responders?.clickers, let rate = figures.clickRate.estimate
        else { return texts.notKept }
        return texts.clickedOfTracked(
            format.amount(clickers), format.amount(figures.tracked[.clicks]), format.percent(rate.low),
            format.percent(rate.high))
    }

    /// Composed, tracked, clicked; then untracked, by reason.
    var funnel: HTML {
        let (composed, tracked) = (figures.composed, figures.tracked[.clicks])
        var bars = [
            BarChart.Bar(texts.composedBar, composed, colour: 4),
            BarChart.Bar(texts.trackedBar, tracked, note: format.share(tracked, of: composed), colour: 2),
        ]
        if let clickers = figures.responders?.clickers {
            bars.append(.init(texts.clickedBar, clickers, note: format.share(clickers, of: composed)))
        }
        bars += untracked.filter { $0.clicks > 0 }.map { reason, clicks, _ in
            BarChart.Bar(words.name(of: reason), clicks, note: format.share(clicks, of: composed), colour: nil)
        }
        var rows: [[ConsoleTable.Cell]] = [
            [.text(texts.composedBar), .number(composed), .number(composed)],
            [.text(texts.trackedBar), .number(tracked), .number(figures.tracked[.opens])],
            [.text(texts.clickedBar), figures.responders.map { .number($0.clickers) } ?? .none, .none],
        ]
        rows += untracked.map { [.text(words.name(of: $0.reason)), .number($0.clicks), .number($0.opens)] }
        return BarChart(bars: bars, whole: composed).html(
            finding: finding,
            table: ConsoleTable(
                shown: texts.funnel, [.text(texts.step), .number(texts.people), .number(texts.forOpens)], rows),
            format)
    }

    var linkChart: HTML {
        let links = mostFollowed
        var bars = links.prefix(Self.maximumBarCount).map { link in
            let (name, place) = (name(of: link.link), Self.place(of: link.link.target))
            return BarChart.Bar(
                name, link.counts.clicks, note: texts.byPeople(format.amount(link.counts.unique)),
                hint: place == name ? "" : place)
        }
        var rows = links.prefix(Self.maximumRowCount).map { link -> [ConsoleTable.Cell] in
            [
                .text(name(of: link.link)), .number(Int(link.link.index.rawValue)), .text(location(of: link.link)),
                .text(Self.place(of: link.link.target)), .number(link.counts.clicks), .number(link.counts.unique),
            ]
        }
        if let clicks = addedClicks {
            bars.append(.init(texts.addedLinks, clicks, colour: nil))
            rows.append([.text(texts.addedLinks), .none, .none, .none, .number(clicks), .none])
        }
        return BarChart(bars: bars).html(
            finding: linkFinding(best: links.first),
            table: ConsoleTable(
                shown: texts.links,
                [
                    .text(texts.link), .number("#"), .text(texts.place), .text(texts.target), .number(texts.clicks),
                    .number(texts.clickers),
                ], rows), format)
    }

    /// Only the sum of single recipients' links is known, so none of them is compared with the best link.
    private func linkFinding(best: Link?) -> String {
        let ofAdded = addedClicks ?? 0
        guard let best, best.counts.clicks > 0, best.counts.clicks >= ofAdded else {
            return ofAdded > 0 ? texts.addedFollowed(format.amount(ofAdded)) : texts.noClicks
        }
        return texts.bestLink(
            name(of: best.link), format.amount(best.counts.clicks), format.amount(best.counts.unique))
    }

    /// Set if the chart does not have all links.
    var linkNote: String? {
        let count = links.count
        guard count > Self.maximumBarCount else { return nil }
        return texts.firstLinks(
            format.amount(count), format.amount(Self.maximumBarCount), format.amount(min(count, Self.maximumRowCount)))
    }

    private func periodRow(_ name: String, _ counts: PeriodCounts) -> [ConsoleTable.Cell] {
        [
            .text(name), .number(counts.clicks.total), .number(counts.clicks.people), .number(counts.opens.total),
            .number(counts.opens.people),
        ]
    }

    private func periodColumns(_ first: String) -> [ConsoleTable.Column] {
        [
            .text(first), .number(texts.clicks), .number(texts.clickers), .number(texts.opens), .number(texts.openers),
        ]
    }

    var hourChart: HTML {
        let hours = counts.activity.counts.hours
        let clicks = Dictionary(uniqueKeysWithValues: hours.map { ($0.key, $0.value.clicks.total) })
        let all = counts.activity.counts.days.map(\.value.clicks.total).countSum
        let firstDay = clicks.filter { $0.key < 24 }.values.countSum
        let finding =
            all == 0
            ? texts.noClicks
            : texts.early(format.amount(all), format.amount(clicks[0] ?? 0), format.amount(firstDay))
        let places = 0..<ActivityCounter.hours
        return ColumnChart(
            labels: places.map { "\($0)\u{A0}h" },
            series: [.init(name: texts.clicks, numbers: places.map { clicks[$0] ?? 0 })]
        ).html(
            finding: finding,
            table: ConsoleTable(
                shown: texts.hours, periodColumns(texts.hour), hours.map { periodRow(String($0.key), $0.value) },
                whenEmpty: texts.noInteractions), format)
    }

    /// Every day from the first one with an interaction to the last one (``DayGroup/chart(of:)``); if there are many,
    /// they are grouped.
    var dayChart: HTML {
        let counted = counts.activity.counts.days
        let clicks = Dictionary(uniqueKeysWithValues: counted.map { ($0.key, $0.value.clicks.total) })
        let (group, days) = DayGroup.chart(of: counted.map(\.key))
        let groups = group.groups(days) { $0 }
        let best = counted.max { one, other in one.value.clicks.total < other.value.clicks.total }
        let finding: String =
            if let best, best.value.clicks.total > 0 {
                texts.bestDay(format.shortDay(best.key.description), format.amount(best.value.clicks.total))
            } else {
                texts.noClicks
            }
        let shown = counted.suffix(Self.maximumRowCount).map { periodRow($0.key.description, $0.value) }
        let caption =
            counted.count > shown.count
            ? texts.newestDays(format.amount(shown.count), format.amount(counted.count)) : texts.days
        return ColumnChart(
            labels: groups.map { group.label($0.first, format) },
            series: [
                .init(name: texts.clicks, numbers: groups.map { $0.days.map { clicks[$0] ?? 0 }.countSum })
            ]
        ).html(
            finding: finding,
            table: ConsoleTable(shown: caption, periodColumns(texts.day), shown, whenEmpty: texts.noInteractions),
            format)
    }

    var openChart: HTML {
        let tallies = VisitorClass.byEvidence.map { ($0, counts.activity.counts[.opens($0)]) }
        let totals = Dictionary(uniqueKeysWithValues: tallies.map { ($0.0, $0.1.total) })
        let finding =
            totals.values.allSatisfy { $0 == 0 }
            ? texts.noOpens
            : texts.openFinding(
                format.amount(totals[.person] ?? 0), format.amount(totals[.machine] ?? 0),
                format.amount(totals[.cannotTell] ?? 0))
        let bars = tallies.map { visitor, tally in
            BarChart.Bar(
                words.name(of: visitor), tally.total, note: texts.byPeople(format.amount(tally.people)),
                colour: visitor == .person ? 1 : visitor == .cannotTell ? 3 : nil)
        }
        return BarChart(bars: bars).html(
            finding: finding,
            table: ConsoleTable(
                shown: texts.openKinds,
                [.text(texts.visitor), .number(texts.opens), .number(texts.people)],
                tallies.map { [.text(words.name(of: $0.0)), .number($0.1.total), .number($0.1.people)] }), format)
    }

    var interactionTable: HTML {
        ConsoleTable(
            shown: texts.interactions,
            [
                .text(texts.kind), .number(texts.total), .number(texts.people), .number(texts.automated),
                .number(texts.suspected),
            ],
            kinds.map { kind, tally in
                [.text(words.name(of: kind))]
                    + [tally.total, tally.people, tally.automated, tally.suspected].map { .number($0) }
            }, whenEmpty: texts.noInteractions
        ).html(format)
    }
}
