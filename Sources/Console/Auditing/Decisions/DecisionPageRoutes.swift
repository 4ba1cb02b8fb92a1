import Consent
import HTTPTypes
import Identifiers
import Interactions
import Organizations
import Pages
import Reports
import UseCases

/// The numbers of decisions and their reasons, and a random sample. Neither names a person.
struct DecisionPageRoutes {
    let reports: any ReportStore
    let sampler: DecisionSampler

    var routes: [ConsoleRoute] {
        [
            .page("/orgs/{org}/decisions", .roles([.auditor]), summary),
            .page(
                "/orgs/{org}/decisions/sample", .roles([.auditor]), work: .heavy, SamplePage(sampler: sampler).answer),
        ]
    }

    private struct View {
        let texts: DecisionTexts
        let action: String
        let from: String
        let to: String
        let message: String
        let failure: FieldFailure?
        let invalid: [String: Bool]
        /// The chart, with its finding.
        let chart: String?
        let finding: String?
        let byReason: String?
        let sample: String
    }

    @Sendable private func summary(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let texts = DecisionTexts.all[call.language]
        do {
            let report = DecisionReportView(numbers: try await numbers(call, texts), language: call.language)
            return .page(page(call, texts, report, nil))
        } catch let failure as FieldFailure {
            return .page(page(call, texts, nil, failure))
        } catch ConsoleRefusal.unfit(let field, let fault) {
            return .page(page(call, texts, nil, FieldFailure(field, fault, texts.fields, call.language)))
        }
    }

    /// - Throws: ``FieldFailure``, ``ConsoleRefusal/unfit(field:_:)``
    private func numbers(_ call: ConsoleCall, _ texts: DecisionTexts) async throws -> DecisionNumbers {
        let organization = try call.requiredOrganization.id
        let (from, to) = (try call.queryDay("from"), try call.queryDay("to"))
        if let message = try call.queryID("message", as: MessageID.self) {
            guard from == nil, to == nil else { throw FieldFailure("message", texts.wholeMessage) }
            guard let counts = try await reports.counts(of: message, in: organization) else {
                throw FieldFailure("message", texts.noMessage)
            }
            return DecisionNumbers(ofMessage: counts.decisions)
        }
        let selection: ReportSelection
        do throws(ReportSelectionError) { selection = try ReportSelection(from: from, to: to, now: call.now) } catch {
            throw FieldFailure(to == nil ? "from" : "to", texts.selection(error))
        }
        return DecisionNumbers(
            try await reports.decisions(on: selection, in: organization), from: CalendarDay(selection.from),
            through: CalendarDay(selection.to.advanced(byMilliseconds: -1)))
    }

    private func page(
        _ call: ConsoleCall, _ texts: DecisionTexts, _ report: DecisionReportView?, _ failure: FieldFailure?
    ) -> ConsolePage {
        let chart = report?.chart?.text
        let asked = call.queryMembers(["from", "to", "message"])
        let view = View(
            texts: texts, action: call.path, from: call.query("from") ?? "", to: call.query("to") ?? "",
            message: call.query("message") ?? "", failure: failure, invalid: failure.invalid, chart: chart,
            finding: chart == nil ? report?.finding : nil, byReason: report?.reasonTable.html(call.format).text,
            sample: ConsoleCall.address(call.path("decisions/sample"), failure == nil ? asked : []))
        var page = ConsolePage(
            area: .decisions, title: texts.title, lead: texts.lead, content: Templates.render("decisions", view),
            tables: report?.files ?? [])
        if failure != nil { page.status = .unprocessableContent }
        return page
    }
}
