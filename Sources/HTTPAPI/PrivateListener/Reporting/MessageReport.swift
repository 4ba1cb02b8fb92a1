import Consent
import Identifiers
import Interactions
import JSON
import Messages
import Reports

/// The report of one message, as JSON and as a table.
struct MessageReport {
    /// It lacks added links if the reader must not see them: they come from the mails of single recipients, and their
    /// URLs may name a recipient.
    let message: StoredMessage
    let counts: MessageCounts

    private var purposes: PerActivity<[Purpose]> {
        let purposes = message.content.purposes
        return purposes.shared.map { .together([$0]) } ?? .apart(clicks: [purposes.clicks], opens: [purposes.opens])
    }

    private var links: [(link: MessageLink, counts: MessageActivity.LinkCounts)] {
        let counted = counts.activity.links
        return message.links.filter(\.isTracked).map { ($0, counted[$0.index] ?? MessageActivity.LinkCounts()) }
    }

    /// Writes the members of the report.
    func write(to writer: inout JSONWriter) {
        writer.member("message", message.id.description)
        writer.decisions(counts.decisions)
        writer.figures(counts.figures, purposes)
        writer.member("peopleCountedUntil", counts.peopleCountedUntil?.rfc3339)
        let activity = counts.activity.counts
        writer.interactions(activity, hasPeople: true)
        writer.opens(activity, hasPeople: true)
        writer.objects("links", links) { counted, writer in
            writer.member("index", counted.link.index.rawValue)
            writer.member("url", counted.link.target.text)
            writer.member("where", counted.link.location)
            writer.member("label", counted.link.label)
            writer.member("clicks", counted.counts.clicks)
            writer.member("unique", counted.counts.unique)
        }
        writer.days(activity.days, hasPeople: true)
        writer.objects("hours", activity.hours) { hour, writer in
            writer.member("hour", hour.key)
            writer.period(hour.value, hasPeople: true)
        }
    }

    /// The same numbers, each in a row of its own.
    var table: ReportTable {
        var table = ReportTable(subject: [("message", message.id.description)])
        table.addDecisions(counts.decisions)
        table.addFigures(counts.figures, purposes)
        let activity = counts.activity.counts
        table.addInteractions(activity, hasPeople: true)
        table.addOpens(activity, hasPeople: true)
        for (link, counts) in links {
            let place = ReportTable.Link(url: link.target.text, place: link.location, label: link.label)
            let name = link.index.rawValue.description
            table.add("links", name, "clicks", counts.clicks, place)
            table.add("links", name, "unique", counts.unique, place)
        }
        for day in activity.days { table.addPeriod("days", day.key.description, day.value, hasPeople: true) }
        for hour in activity.hours { table.addPeriod("hours", hour.key.description, hour.value, hasPeople: true) }
        return table
    }
}
