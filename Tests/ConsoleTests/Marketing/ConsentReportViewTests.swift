import Consent
import Identifiers
import Interactions
import Pages
import Reports
import TestSupport
import Testing

@testable import Console

@Suite struct ConsentReportViewTests {
    @Test("counts of any size are added up in its facts, charts and files")
    func greatest() throws {
        let most = Int.maximumCountSum
        let time = try ReportSelection(from: .noon, to: .noon + 20 * 86_400_000, now: .noon)
        let selection = ConsentReportSelection(time, purpose: nil, now: .noon)
        var counts = ConsentCounts()
        for number in selection.days {
            var day = ConsentCounts.Day(CalendarDay(number: number))
            for state in ConsentState.allCases { day.records[state] = most }
            for status in CountedStatus.allCases { day.stock[status] = most }
            (day.expired, day.erased) = (most, most)
            counts.days.append(day)
        }
        for evidence in CountedEvidence.allCases { counts.evidence[evidence] = most }
        counts.methods = .init([.init(value: "form", given: most), .init(value: "shop", given: most)], others: most)
        for language in ConsoleLanguage.allCases {
            let view = ConsentReportView(selection: selection, counts: counts, language: language)
            #expect(view.flow(.given) == most && view.given == most)
            let charts = [view.stockChart, view.flowChart, view.evidenceChart, view.methodChart, view.noticeChart]
            #expect(charts.allSatisfy { !$0.text.isEmpty } && !view.facts.html.text.isEmpty)
            #expect(view.files.count == 6)
        }
    }
}
