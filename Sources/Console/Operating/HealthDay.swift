import Identifiers
import Pages

/// The last 24 hours as charts, in half hours, and as a table of minutes.
struct HealthDay {
    private static let minutesOfStep: Int64 = 30

    let minutes: [DayHistory.Minute]
    let texts: HealthTexts
    let format: NumberFormat

    private struct Step {
        let begin: Timestamp
        var recorded = 0
        var unrecorded = 0
        var spoolDepth = 0
        var commitMicroseconds = 0
    }

    /// From the first known minute to the last, including half hours without any.
    private var steps: [Step] {
        guard let first = minutes.first, let last = minutes.last else { return [] }
        let numbers = (first.number / Self.minutesOfStep)...(last.number / Self.minutesOfStep)
        var steps = numbers.map { Step(begin: DayHistory.begin(ofMinute: $0 * Self.minutesOfStep)) }
        for minute in minutes {
            let place = Int(minute.number / Self.minutesOfStep - numbers.lowerBound)
            steps[place].recorded += Int(clamping: minute.recorded)
            steps[place].unrecorded += Int(clamping: minute.unrecorded)
            steps[place].spoolDepth = max(steps[place].spoolDepth, minute.spoolDepth)
            steps[place].commitMicroseconds = max(
                steps[place].commitMicroseconds, Int(clamping: minute.commitMicroseconds ?? 0))
        }
        return steps
    }

    var html: HTML {
        let steps = steps
        guard !steps.isEmpty else { return "<p class=\"empty\">\(texts.emptyDay)</p>" }
        let labels = steps.map { String(format.minute($0.begin).suffix(5)) }
        return HTML(lines: [clicks(steps, labels), spool(steps, labels), commits(steps, labels)])
    }

    private func clicks(_ steps: [Step], _ labels: [String]) -> HTML {
        let (recorded, unrecorded) = (steps.map(\.recorded), steps.map(\.unrecorded))
        return ColumnChart(
            labels: labels,
            series: [
                .init(name: texts.recorded, numbers: recorded), .init(name: texts.unrecorded, numbers: unrecorded),
            ]
        ).html(
            finding: texts.clicksFinding(
                format.integer(recorded.reduce(0, +)), format.integer(unrecorded.reduce(0, +))),
            table: table(
                steps, texts.clicksCaption,
                [.init("recorded", texts.recorded, .number), .init("unrecorded", texts.unrecorded, .number)]
            ) { [.number($0.recorded), .number($0.unrecorded)] },
            format)
    }

    private func spool(_ steps: [Step], _ labels: [String]) -> HTML {
        let depths = steps.map(\.spoolDepth)
        return LineChart(labels: labels, series: [.init(name: texts.spoolDepth, numbers: depths)]).html(
            finding: texts.spoolFinding(format.integer(depths.max() ?? 0)),
            table: table(steps, texts.spoolCaption, [.init("spoolDepth", texts.spoolDepth, .number)]) {
                [.number($0.spoolDepth)]
            },
            format)
    }

    private func commits(_ steps: [Step], _ labels: [String]) -> HTML {
        let times = steps.map(\.commitMicroseconds)
        let most = times.max() ?? 0
        return LineChart(labels: labels, series: [.init(name: texts.commitMicroseconds, numbers: times)]).html(
            finding: most == 0
                ? texts.noCommitFinding : texts.commitFinding(Self.duration(UInt64(most), format)),
            table: table(
                steps, texts.commitCaption, [.init("commitP99Microseconds", texts.commitMicroseconds, .number)]
            ) { [.number($0.commitMicroseconds)] },
            format)
    }

    private func table(
        _ steps: [Step], _ caption: String, _ columns: [ConsoleTable.Column], _ cells: (Step) -> [ConsoleTable.Cell]
    ) -> ConsoleTable {
        ConsoleTable(
            name: "halfHours", caption: caption, columns: [.init("from", texts.time)] + columns,
            rows: steps.map { [.time($0.begin)] + cells($0) }, whenEmpty: texts.emptyDay)
    }

    /// Only for files: a page with 1,440 rows would be too long.
    var minutesTable: ConsoleTable {
        ConsoleTable(
            name: "minutes", caption: texts.minutesCaption,
            columns: [
                .init("from", texts.time), .init("recorded", texts.recorded, .number),
                .init("unrecorded", texts.unrecorded, .number), .init("spoolDepth", texts.spoolDepth, .number),
                .init("commitP99Microseconds", texts.commitMicroseconds, .number),
            ],
            rows: minutes.map { minute in
                [
                    .time(minute.begin), .number(Int(clamping: minute.recorded)),
                    .number(Int(clamping: minute.unrecorded)),
                    .number(minute.spoolDepth), minute.commitMicroseconds.map { .number(Int(clamping: $0)) } ?? .none,
                ]
            })
    }

    /// `2.5 ms`, or `3 s`.
    static func duration(_ microseconds: UInt64, _ format: NumberFormat) -> String {
        let milliseconds = Double(microseconds) / 1000
        if milliseconds >= 1000 { return format.decimal(milliseconds / 1000) + "\u{A0}s" }
        if milliseconds < 1 { return format.integer(Int(clamping: microseconds)) + "\u{A0}µs" }
        return format.decimal(milliseconds) + "\u{A0}ms"
    }
}
