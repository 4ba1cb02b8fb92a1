import HTTPTypes
import Identifiers
import Interactions
import Organizations
import Pages
import Reports

/// The consents of an organization's recipients.
struct ConsentPageRoutes {
    let reports: any ReportStore

    var routes: [ConsoleRoute] { [.page("/orgs/{org}/consent", .roles([.marketer, .auditor]), show)] }

    private struct View {
        struct Report {
            let facts: String
            let purposesNote: String?
            let stock: String
            let flow: String
            let evidence: String
            let methods: String
            let notices: String
            let rareHint: String
        }

        let texts: ConsentTexts
        let action: String
        let from: String
        let to: String
        let purpose: String
        let purposes: [String]
        let failure: String?
        let report: Report?
    }

    @Sendable private func show(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let texts = ConsentTexts.all[call.language]
        let (from, to) = (try call.queryDay("from"), try call.queryDay("to"))
        let purpose = try call.queryValue("purpose", Purpose.init)
        let time: ReportSelection
        do { time = try ReportSelection(from: from, to: to, now: call.now) } catch {
            var page = page(call, texts, report: nil, failure: texts.failure(error))
            page.status = .unprocessableContent
            return .page(page)
        }
        let selection = ConsentReportSelection(time, purpose: purpose, now: call.now)
        let counts = try await reports.consents(selection, in: try call.requiredOrganization.id)
        let report = ConsentReportView(selection: selection, counts: counts, language: call.language)
        return .page(page(call, texts, report: report, failure: nil))
    }

    private func page(
        _ call: ConsoleCall, _ texts: ConsentTexts, report: ConsentReportView?, failure: String?
    ) -> ConsolePage {
        // Without a query, the fields contain the period that was counted.
        let view = View(
            texts: texts, action: call.path,
            from: call.query("from") ?? report.map { call.format.day($0.selection.time.from) } ?? "",
            to: call.query("to") ?? "", purpose: call.query("purpose") ?? "",
            purposes: report?.counts.purposes.map(\.description) ?? [], failure: failure, report: report.map(view))
        return ConsolePage(
            area: .consent, title: texts.title, lead: texts.lead, content: Templates.render("consent", view),
            tables: report?.files ?? [])
    }

    private func view(_ report: ConsentReportView) -> View.Report {
        let texts = report.texts
        let purposes = report.counts.purposes.count
        return View.Report(
            facts: report.facts.html.text, purposesNote: purposes > 1 ? texts.severalPurposes(purposes) : nil,
            stock: report.stockChart.text, flow: report.flowChart.text, evidence: report.evidenceChart.text,
            methods: report.methodChart.text, notices: report.noticeChart.text,
            rareHint: texts.rareHint(ConsentCounts.minimumShownCount))
    }
}
