import Identifiers
import Interactions
import JSON
import Messages
import Reports

/// The report of the messages that an organization made in a period, as JSON and as a table.
///
/// A sum over messages has no number of people beside it, because a person who acts on two messages would count twice.
struct CampaignReport {
    let selection: ReportSelection
    let counts: CampaignCounts

    /// Writes the members of the report.
    func write(to writer: inout JSONWriter) {
        writer.member("from", selection.from.rfc3339)
        writer.member("to", selection.to.rfc3339)
        writer.member("tag", selection.tag?.text)
        writer.member("messages", counts.messages)
        writer.decisions(counts.decisions)
        writer.figures(counts.figures, counts.purposes)
        writer.interactions(counts.activity, hasPeople: false)
        writer.opens(counts.activity, hasPeople: false)
        writer.days(counts.activity.days, hasPeople: false)
    }

    /// The same numbers, each in a row of its own.
    var table: ReportTable {
        var table = ReportTable(subject: [
            ("from", selection.from.rfc3339), ("to", selection.to.rfc3339), ("tag", selection.tag?.text),
        ])
        table.add("messages", "made", "count", counts.messages)
        table.addDecisions(counts.decisions)
        table.addFigures(counts.figures, counts.purposes)
        table.addInteractions(counts.activity, hasPeople: false)
        table.addOpens(counts.activity, hasPeople: false)
        for day in counts.activity.days {
            table.addPeriod("days", day.key.description, day.value, hasPeople: false)
        }
        return table
    }
}
