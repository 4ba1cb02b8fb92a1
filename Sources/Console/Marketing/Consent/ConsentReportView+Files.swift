import Interactions
import Reports

extension ConsentReportView {
    /// All numbers of the page, separately for each day, under the API's names.
    var files: [ConsoleTable] {
        let statuses = CountedStatus.allCases
        return [
            ConsoleTable(
                file: "days", texts.flow, ["day"] + statuses.map(\.rawValue) + ["erased"],
                counts.days.map { day in
                    [.text(day.day.description)] + statuses.map { .number(day.flow($0)) } + [.number(day.erased)]
                }),
            ConsoleTable(
                file: "stock", texts.stock, ["day"] + statuses.map(\.rawValue),
                counts.days.map { day in
                    [.text(day.day.description)] + statuses.map { .number(day.stock[$0] ?? 0) }
                }),
            ConsoleTable(
                file: "ending", texts.endingFile, ["days", "count"],
                ConsentReportSelection.aheads.map { [.number(Int($0)), .number(ending(within: $0))] }),
            ConsoleTable(
                file: "evidence", texts.evidence, ["evidence", "given"],
                CountedEvidence.allCases.map { [.text($0.rawValue), .number(counts.evidence[$0] ?? 0)] }),
            ConsoleTable(
                file: "methods", texts.methods, ["method", "given"],
                counts.methods.words.map { [.text($0.value), .number($0.given)] }
                    + [[.none, .number(counts.methods.others)]]),
            ConsoleTable(
                file: "notices", texts.notices, ["id", "version", "given"],
                counts.notices.words.map { word in
                    [
                        word.value.id.map { .text($0) } ?? .none, word.value.version.map { .text($0) } ?? .none,
                        .number(word.given),
                    ]
                } + [[.none, .none, .number(counts.notices.others)]]),
        ]
    }
}
