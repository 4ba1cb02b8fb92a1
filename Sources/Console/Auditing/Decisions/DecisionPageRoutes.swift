import Consent
import Identifiers
import Interactions
import Organizations
import Pages
import Reports
import UseCases

/// How many decisions there are, and why; and a random sample of them. Neither names a person.
struct DecisionPageRoutes {
    let reports: any ReportStore
    let sampling: DecisionSampling

    var routes: [ConsoleRoute] {
        [
            .page("/orgs/{org}/decisions", .roles([.auditor]), summary),
            .page("/orgs/{org}/decisions/sample", .roles([.auditor]), SamplePage(sampling: sampling).answer),
        ]
    }

    private struct View {
        let texts: DecisionTexts
        let action: String
        let from: String
        let to: String
        let chart: String?
        let byReason: String
        let sample: String
    }

    @Sendable private func summary(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        let texts = DecisionTexts.all[call.language]
        let selection: ReportSelection
        let (from, to) = (try call.queryDay("from"), try call.queryDay("to"))
        do throws(ReportSelectionError) { selection = try ReportSelection(from: from, to: to, now: call.now) } catch {
            throw ConsoleRefusal.unfit(field: to == nil ? texts.from : texts.to, .malformed)
        }
        let found = try await reports.decisions(on: selection, in: call.requiredOrganization.id)
        let days = found.sorted { $0.key < $1.key }
        let all = found.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        let tables = [reasonTable(all, call, texts), dayTable(days, all, call, texts)]
        let view = View(
            texts: texts, action: call.path, from: call.query("from") ?? "", to: call.query("to") ?? "",
            chart: days.isEmpty ? nil : chart(days, all, tables[1], call, texts).text,
            byReason: tables[0].html(call.format).text, sample: call.path("decisions/sample"))
        return .page(
            ConsolePage(
                area: .decisions, title: texts.title, lead: texts.lead, content: Templates.render("decisions", view),
                tables: tables))
    }

    private typealias Days = [(key: CalendarDay, value: [DecisionReason: Int])]

    private static func sum(_ counts: [DecisionReason: Int], _ outcome: DecisionOutcome? = nil) -> Int {
        counts.filter { outcome == nil || $0.key.outcome == outcome }.values.reduce(0, +)
    }

    private func chart(
        _ days: Days, _ all: [DecisionReason: Int], _ table: ConsoleTable, _ call: ConsoleCall, _ texts: DecisionTexts
    ) -> HTML {
        let format = call.format
        let series = [(texts.tracked, DecisionOutcome.tracked), (texts.untracked, .untracked)].map { name, outcome in
            ColumnChart.Series(name: name, numbers: days.map { Self.sum($0.value, outcome) })
        }
        let finding = texts.finding(
            format.integer(Self.sum(all)), format.integer(Self.sum(all, .tracked)),
            format.integer(Self.sum(all, .untracked)))
        return ColumnChart(labels: days.map { "\($0.key)" }, series: series).html(
            finding: finding, table: table, format)
    }

    private func reasonTable(_ all: [DecisionReason: Int], _ call: ConsoleCall, _ texts: DecisionTexts) -> ConsoleTable
    {
        let words = DecisionWords.all[call.language]
        let whole = Self.sum(all)
        let reasons = DecisionReason.allCases.compactMap { reason in all[reason].map { (reason, $0) } }
        return ConsoleTable(
            name: "reasons", caption: texts.byReason,
            columns: [
                .init("name", texts.reason), .init("reason", "Code"), .init("outcome", texts.outcome),
                .init("decisions", texts.count, .number), .init("share", texts.share, .number),
            ],
            rows: reasons.filter { $0.1 > 0 }.map { reason, count in
                [
                    .text(words.name(reason)), .code(reason.rawValue),
                    .state(
                        words.outcome(reason), code: reason.outcome.rawValue,
                        tone: reason.outcome == .tracked ? .good : .neutral),
                    .number(count), .share(Double(count) / Double(whole)),
                ]
            }, whenEmpty: texts.none)
    }

    private func dayTable(
        _ days: Days, _ all: [DecisionReason: Int], _ call: ConsoleCall, _ texts: DecisionTexts
    ) -> ConsoleTable {
        let words = DecisionWords.all[call.language]
        let reasons = DecisionReason.allCases.filter { all[$0, default: 0] > 0 }
        return ConsoleTable(
            name: "days", caption: texts.byDay,
            columns: [
                .init("day", texts.day), .init("decisions", texts.decisions, .number),
                .init("tracked", texts.tracked, .number), .init("untracked", texts.untracked, .number),
            ] + reasons.map { .init($0.rawValue, words.name($0), .number) },
            rows: days.map { day, counts in
                [
                    .text("\(day)"), .number(Self.sum(counts)), .number(Self.sum(counts, .tracked)),
                    .number(Self.sum(counts, .untracked)),
                ] + reasons.map { .number(counts[$0, default: 0]) }
            }, whenEmpty: texts.none)
    }
}
