import Consent
import Identifiers
import Interactions
import Reports

/// A report as a table in the long form: each number has a row that says what it is.
struct ReportTable {
    struct Link {
        let url: String
        let place: String
        let label: String?
    }

    private static let columns = [
        "section", "name", "measure", "value", "n", "low", "high", "url", "where", "label", "purposes",
    ]

    /// The subject of the report. Every row repeats it, so that several reports can be put below each other.
    private let subject: [(column: String, value: String?)]
    private var writer = CSVWriter()

    init(subject: [(column: String, value: String?)]) {
        self.subject = subject
        for column in subject.map(\.column) + Self.columns { writer.cell(column) }
        writer.endLine()
    }

    var csv: [UInt8] { writer.bytes }

    /// - Parameter count: `nil` if it is not known; then the cell is empty.
    mutating func add(_ section: String, _ name: String, _ measure: String, _ count: Int?, _ link: Link? = nil) {
        addRow([
            section, name, measure, count.map(String.init), nil, nil, nil, link?.url, link?.place, link?.label, nil,
        ])
    }

    /// The same for a number with a label beside its name.
    mutating func add(_ section: String, _ name: String, _ measure: String, _ count: Int, label: String?) {
        addRow([section, name, measure, String(count), nil, nil, nil, nil, nil, label, nil])
    }

    private mutating func addRow(_ cells: [String?]) {
        for cell in subject.map(\.value) + cells { writer.cell(cell) }
        writer.endLine()
    }

    mutating func addDecisions(_ counts: [DecisionReason: Int]) {
        add("decisions", "composed", "count", counts.values.countSum)
        add("decisions", "tracked", "count", counts.filter { $0.key.outcome == .tracked }.values.countSum)
        addUntracked("decisions", counts)
    }

    private mutating func addUntracked(_ section: String, _ counts: [DecisionReason: Int]) {
        for reason in DecisionReason.allCases where reason.outcome == .untracked {
            if let count = counts[reason], count > 0 { add(section, reason.rawValue, "count", count) }
        }
    }

    /// - Parameter purposes: the purposes of the messages; a cell with several has a space between them.
    mutating func addFigures(_ people: PeopleFigures, _ purposes: PerActivity<[Purpose]>) {
        let purposes = purposes.map { $0.map(\.description).joined(separator: " ") }
        add("people", "composed", "count", people.composed)
        add("people", "tracked", "count", people.tracked[.clicks])
        addUntracked("people", people.untracked[.clicks])
        add("peopleOfOpens", "tracked", "count", people.tracked[.opens])
        addUntracked("peopleOfOpens", people.untracked[.opens])
        add("people", "clickers", "count", people.responders?.clickers)
        add("people", "openers", "count", people.openers)
        add("people", "possibleOpeners", "count", people.possibleOpeners)
        for (name, activity, rate) in people.rates {
            let estimate = rate.estimate
            addRow([
                "rates", name, "rate", estimate?.value.decimal, String(rate.n), estimate?.low.decimal,
                estimate?.high.decimal, nil, nil, nil, purposes[activity],
            ])
        }
        for (name, activity, bounds) in people.bounds {
            addRow([
                "bounds", name, "share", nil, String(bounds.n), bounds.range?.low.decimal, bounds.range?.high.decimal,
                nil, nil, nil, purposes[activity],
            ])
        }
    }

    mutating func addInteractions(_ counts: ActivityCounts, hasPeople: Bool) {
        for kind in InteractionKind.allCases {
            guard let tally = counts.tallies[.kind(kind)] else { continue }
            add("interactions", kind.rawValue, "total", tally.total)
            if hasPeople { add("interactions", kind.rawValue, "unique", tally.people) }
            add("interactions", kind.rawValue, "automated", tally.automated)
            add("interactions", kind.rawValue, "suspected", tally.suspected)
        }
    }

    mutating func addOpens(_ counts: ActivityCounts, hasPeople: Bool) {
        for visitor in VisitorClass.byEvidence {
            let tally = counts[.opens(visitor)]
            add("opens", visitor.rawValue, "total", tally.total)
            if hasPeople { add("opens", visitor.rawValue, "people", tally.people) }
        }
    }

    mutating func addPeriod(_ section: String, _ name: String, _ counts: PeriodCounts, hasPeople: Bool) {
        add(section, name, "clicks", counts.clicks.total)
        if hasPeople { add(section, name, "clickers", counts.clicks.people) }
        add(section, name, "opens", counts.opens.total)
        if hasPeople { add(section, name, "openers", counts.opens.people) }
    }
}
