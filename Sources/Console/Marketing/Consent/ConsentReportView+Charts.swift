import Identifiers
import Interactions
import Pages
import Reports

extension ConsentReportView {
    /// The order of statuses in charts; rare ones follow if there are any.
    private static let charted: [CountedStatus] = [.given, .withdrawn, .expired, .refused]
    private static let rare: [CountedStatus] = [.revoked, .invalidated]

    private var group: DayGroup { DayGroup(days: counts.days.count) }

    private var groups: [(first: CalendarDay, days: [ConsentCounts.Day])] { group.groups(counts.days) { $0.day } }

    private var groupName: String {
        switch group {
        case .day: texts.day
        case .week: texts.week
        case .month: texts.month
        }
    }

    /// - Parameter first: the title of the first column; the others have numbers.
    private func table(
        _ caption: String, _ first: String, _ numbers: [String], _ rows: [[ConsoleTable.Cell]]
    ) -> ConsoleTable {
        ConsoleTable(
            shown: caption, [.text(first)] + numbers.map { .number($0) }, rows, whenEmpty: texts.noConsents)
    }

    /// A line or a part of the columns for each status. Charts have at most five, so the rare statuses share one.
    private func series(
        _ count: (ConsentCounts.Day, CountedStatus) -> Int, of days: ([ConsentCounts.Day]) -> [ConsentCounts.Day]
    ) -> [ChartPlot.Series] {
        func numbers(_ statuses: [CountedStatus]) -> [Int] {
            groups.map { group in
                days(group.days).flatMap { day in statuses.map { count(day, $0) } }.countSum
            }
        }
        var series = Self.charted.map { ChartPlot.Series(name: texts.name(of: $0), numbers: numbers([$0])) }
        let rest = numbers(Self.rare)
        if rest.contains(where: { $0 > 0 }) {
            let name = Self.rare.map { texts.name(of: $0) }.joined(separator: ", ")
            series.append(ChartPlot.Series(name: name, numbers: rest))
        }
        return series
    }

    /// How many recipients had each status at the end of each day.
    var stockChart: HTML {
        let isEmpty = CountedStatus.allCases.allSatisfy { stock($0) == 0 }
        let finding: String =
            if let last = counts.days.last, !isEmpty {
                texts.stockFinding(
                    format.shortDay(last.day.description), format.amount(stock(.given)),
                    format.amount(stock(.refused) + stock(.withdrawn)), format.amount(stock(.expired)))
            } else {
                texts.noConsents
            }
        let rows = groups.map { group -> [ConsoleTable.Cell] in
            [.text(group.first.description)]
                + CountedStatus.allCases.map { .number(group.days.last?.stock[$0] ?? 0) }
        }
        return LineChart(
            labels: groups.map { group.label($0.first, format) },
            series: series({ $0.stock[$1] ?? 0 }, of: { Array($0.suffix(1)) })
        ).html(
            finding: finding,
            table: table(texts.stock, groupName, CountedStatus.allCases.map { texts.name(of: $0) }, rows), format)
    }

    /// How many records of each status count from each day on, and how many consents expired on it.
    var flowChart: HTML {
        let isEmpty = CountedStatus.allCases.allSatisfy { flow($0) == 0 }
        let finding =
            isEmpty
            ? texts.noFlow
            : texts.flowFinding(
                format.amount(flow(.given)), format.amount(flow(.refused)), format.amount(flow(.withdrawn)),
                format.amount(flow(.expired)))
        let rows = groups.map { group -> [ConsoleTable.Cell] in
            let sums = CountedStatus.allCases.map { status in group.days.map { $0.flow(status) }.countSum }
            let erased = group.days.map(\.erased).countSum
            return [.text(group.first.description)] + (sums + [erased]).map { .number($0) }
        }
        let names = CountedStatus.allCases.map { texts.name(of: $0) }
        return ColumnChart(
            labels: groups.map { group.label($0.first, format) }, series: series({ $0.flow($1) }, of: { $0 })
        ).html(finding: finding, table: table(texts.flow, groupName, names + [texts.erased], rows), format)
    }

    var evidenceChart: HTML {
        let finding =
            given == 0 ? texts.noGiven : texts.evidenceFinding(format.amount(withEvidence), format.amount(given))
        let colours: [CountedEvidence: Int] = [.methodAndNotice: 1, .methodOnly: 2, .noticeOnly: 2, .other: 4]
        let bars = CountedEvidence.allCases.map { evidence -> BarChart.Bar in
            let count = counts.evidence[evidence] ?? 0
            return BarChart.Bar(
                texts.name(of: evidence), count, note: format.share(count, of: given), colour: colours[evidence])
        }
        return chart(bars, whole: given, finding: finding, texts.evidence)
    }

    var methodChart: HTML {
        words(
            counts.methods.words.map { ($0.value, $0.given) }, others: counts.methods.others, texts.methods,
            texts.otherMethods, none: texts.noMethod, texts.methodFinding)
    }

    var noticeChart: HTML {
        let words = counts.notices.words.map { word -> (String, Int) in
            switch (word.value.id, word.value.version) {
            case (let id?, let version?): (texts.version(id, version), word.given)
            case (let name?, nil), (nil, let name?): (name, word.given)
            case (nil, nil): ("–", word.given)
            }
        }
        return self.words(
            words, others: counts.notices.others, texts.notices, texts.otherNotices, none: texts.noNotice,
            texts.noticeFinding)
    }

    private func words(
        _ words: [(name: String, given: Int)], others: Int, _ caption: String, _ othersName: String, none: String,
        _ sentence: (String, Amount, Amount) -> String
    ) -> HTML {
        let words = words.map { (name: $0.name.shortened(), given: $0.given) }
        let all = Int.countSum(words.map(\.given).countSum, others)
        let finding: String =
            if given == 0 {
                texts.noGiven
            } else if let first = words.first {
                sentence(first.name, format.amount(first.given), format.amount(all))
            } else {
                none
            }
        var bars = words.map { BarChart.Bar($0.name, $0.given, note: format.share($0.given, of: all)) }
        if others > 0 { bars.append(.init(othersName, others, note: format.share(others, of: all), colour: nil)) }
        return chart(bars, whole: all, finding: finding, caption)
    }

    private func chart(_ bars: [BarChart.Bar], whole: Int, finding: String, _ caption: String) -> HTML {
        BarChart(bars: bars, whole: whole).html(
            finding: finding,
            table: table(caption, caption, [texts.records], bars.map { [.text($0.name), .number($0.number)] }), format)
    }
}
