import Consent
import Identifiers
import Interactions
import JSON
import Reports

/// The consents of an organization's recipients, day by day, as JSON and as a table.
struct ConsentReport {
    let selection: ConsentReportSelection
    let counts: ConsentCounts

    /// Writes the members of the report.
    func write(to writer: inout JSONWriter) {
        writer.member("from", selection.time.from.rfc3339)
        writer.member("to", selection.time.to.rfc3339)
        writer.member("purpose", selection.purpose?.description)
        writer.key("purposes")
        writer.array { writer in
            for purpose in counts.purposes { writer.string(purpose.description) }
        }
        writer.objects("days", counts.days) { day, writer in
            writer.member("day", day.day.description)
            for (name, count) in day.flow { writer.member(name, count) }
            writer.key("stock")
            writer.object { writer in
                for status in CountedStatus.allCases { writer.member(status.rawValue, day.stock[status] ?? 0) }
            }
        }
        writer.key("ending")
        writer.object { writer in
            for (name, count) in counts.endingByName { writer.member(name, count) }
        }
        writer.key("evidence")
        writer.object { writer in
            for evidence in CountedEvidence.allCases {
                writer.member(evidence.rawValue, counts.evidence[evidence] ?? 0)
            }
        }
        writeWords(to: &writer)
    }

    private func writeWords(to writer: inout JSONWriter) {
        writer.objects("methods", counts.methods.words) { word, writer in
            writer.member("method", word.value)
            writer.member("given", word.given)
        }
        writer.member("otherMethods", counts.methods.others)
        writer.objects("notices", counts.notices.words) { word, writer in
            writer.member("id", word.value.id)
            writer.member("version", word.value.version)
            writer.member("given", word.given)
        }
        writer.member("otherNotices", counts.notices.others)
    }

    /// The same numbers, each in a row of its own.
    var table: ReportTable {
        var table = ReportTable(subject: [
            ("from", selection.time.from.rfc3339), ("to", selection.time.to.rfc3339),
            ("purpose", selection.purpose?.description),
        ])
        for day in counts.days {
            for (name, count) in day.flow { table.add("days", day.day.description, name, count) }
            for status in CountedStatus.allCases {
                table.add("stock", day.day.description, status.rawValue, day.stock[status] ?? 0)
            }
        }
        for (name, count) in counts.endingByName { table.add("ending", name, "count", count) }
        for evidence in CountedEvidence.allCases {
            table.add("evidence", evidence.rawValue, "count", counts.evidence[evidence] ?? 0)
        }
        for word in counts.methods.words { table.add("methods", word.value, "given", word.given) }
        table.add("otherMethods", "", "given", counts.methods.others)
        for word in counts.notices.words {
            table.add("notices", word.value.id ?? "", "given", word.given, label: word.value.version)
        }
        table.add("otherNotices", "", "given", counts.notices.others)
        return table
    }
}

extension ConsentCounts.Day {
    /// The changes of the day, by name.
    fileprivate var flow: [(name: String, count: Int)] {
        ConsentState.allCases.map { ($0.rawValue, records[$0] ?? 0) } + [("expired", expired), ("erased", erased)]
    }
}

extension ConsentCounts {
    fileprivate var endingByName: [(name: String, count: Int)] {
        ConsentReportSelection.aheads.map { ("within\($0)Days", ending[$0] ?? 0) }
    }
}
