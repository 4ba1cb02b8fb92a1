import Consent
import Interactions
import Pages

/// Numbers of decisions for their page and its files.
struct DecisionReportView {
    let numbers: DecisionNumbers
    let language: ConsoleLanguage

    private var texts: DecisionTexts { DecisionTexts.all[language] }
    private var words: DecisionWords { DecisionWords.all[language] }
    private var format: NumberFormat { NumberFormat(language: language) }

    private var isEmpty: Bool { DecisionNumbers.count(numbers.all) == 0 }

    /// The number of decisions, in one sentence; `nil` if there are none.
    var finding: String? {
        guard !isEmpty else { return nil }
        return texts.finding(
            format.amount(DecisionNumbers.count(numbers.all)),
            format.integer(DecisionNumbers.count(numbers.all, .tracked)),
            format.integer(DecisionNumbers.count(numbers.all, .untracked)))
    }

    /// The decisions over time, with their finding; `nil` for a message, and if there are no decisions.
    var chart: HTML? {
        guard let finding, let time = numbers.time else { return nil }
        let (group, parts) = time.groups()
        let series = [(words.tracked, DecisionOutcome.tracked), (words.untracked, .untracked)].map { name, outcome in
            ColumnChart.Series(name: name, numbers: parts.map { DecisionNumbers.count($0.counts, outcome) })
        }
        let name =
            switch group {
            case .day: texts.day
            case .week: texts.week
            case .month: texts.month
            }
        let shown = table(name, parts.map { (name: "\($0.first)", counts: $0.counts) })
        return ColumnChart(labels: parts.map { group.label($0.first, format) }, series: series).html(
            finding: finding, table: shown, format)
    }

    /// The tables to save: the reasons, and for a period each day with a decision.
    var files: [ConsoleTable] {
        guard let time = numbers.time else { return [reasonTable] }
        let days = time.counts.sorted { $0.key < $1.key }.map { (name: "\($0.key)", counts: $0.value) }
        return [reasonTable, table(texts.day, days)]
    }

    var reasonTable: ConsoleTable {
        let whole = DecisionNumbers.count(numbers.all)
        let reasons = DecisionReason.allCases.map { ($0, numbers.all[$0, default: 0]) }.filter { $0.1 > 0 }
        return ConsoleTable(
            name: "reasons", caption: texts.byReason,
            columns: [
                .init("name", texts.reason), .init("reason", "Code"), .init("outcome", texts.outcome),
                .init("decisions", texts.decisions, .number), .init("share", texts.share, .number),
            ],
            rows: reasons.map { reason, count in
                [
                    .text(words.name(reason)), .code(reason.rawValue), words.outcomeCell(reason), .number(count),
                    .share(Double(count) / Double(whole)),
                ]
            }, whenEmpty: texts.none)
    }

    private func table(_ first: String, _ parts: [(name: String, counts: [DecisionReason: Int])]) -> ConsoleTable {
        let reasons = DecisionReason.allCases.filter { numbers.all[$0, default: 0] > 0 }
        return ConsoleTable(
            name: "days", caption: texts.byTime,
            columns: [
                .init("day", first), .init("decisions", texts.decisions, .number),
                .init("tracked", words.tracked, .number), .init("untracked", words.untracked, .number),
            ] + reasons.map { .init($0.rawValue, words.name($0), .number) },
            rows: parts.map { name, counts in
                [
                    .text(name), .number(DecisionNumbers.count(counts)),
                    .number(DecisionNumbers.count(counts, .tracked)),
                    .number(DecisionNumbers.count(counts, .untracked)),
                ] + reasons.map { .number(counts[$0, default: 0]) }
            }, whenEmpty: texts.none)
    }
}
