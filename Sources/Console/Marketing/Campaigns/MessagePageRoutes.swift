import ASCII
import HTTPAPI
import Identifiers
import Logging
import Messages
import Organizations
import Pages
import Reports
import UseCases

/// The results of one message, and the switch of its links.
struct MessagePageRoutes {
    private static let path = "/orgs/{org}/campaigns/{message}"

    let catalog: MessageCatalog
    let reports: any ReportStore

    var routes: [ConsoleRoute] {
        [
            .page(Self.path, .roles([.marketer, .auditor]), work: .heavy, show),
            .form("\(Self.path)/disable", .roles([.manager]), work: .heavy) { try await setDisabled(true, $0) },
            .form("\(Self.path)/enable", .roles([.manager]), work: .heavy) { try await setDisabled(false, $0) },
        ]
    }

    private struct View {
        struct Switch {
            let title: String
            let hint: String
            let action: String
            let token: String
            let style: String
        }

        let texts: MessageTexts
        let list: String
        let facts: String
        let funnel: String
        let links: String
        let linkNote: String?
        let hours: String
        let days: String
        let opens: String
        let interactions: String
        let id: String
        let made: String
        let expires: String
        let state: String
        let hasTags: Bool
        let tags: [Tag]
        let purposes: String
        let countedUntil: String?
        let toggle: Switch?

        struct Tag {
            let name: String
            let path: String
        }
    }

    @Sendable private func show(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let organization = try call.requiredOrganization.id
        let id = try call.id("message", as: MessageID.self)
        let message = try await catalog.message(id, in: organization)
        guard let counts = try await reports.counts(of: id, in: organization) else { throw ConsoleRefusal.notFound }
        let report = MessageReportView(message: message, counts: counts, language: call.language)
        let name = message.content.name
        return .page(
            ConsolePage(
                area: .campaigns, title: name.isBlank ? CampaignTexts.all[call.language].unnamed : name,
                content: Templates.render("message", try view(report, call)), tables: report.files))
    }

    private func view(_ report: MessageReportView, _ call: ConsoleCall) throws -> View {
        let (texts, format) = (report.texts, report.format)
        let content = report.message.content
        let purposes = content.purposes
        let state = CampaignTable.state(
            report.message.isDisabled, content.expiresAt, call, CampaignTexts.all[call.language])
        return View(
            texts: texts, list: call.path("campaigns"), facts: report.facts.html.text, funnel: report.funnel.text,
            links: report.linkChart.text, linkNote: report.linkNote, hours: report.hourChart.text,
            days: report.dayChart.text, opens: report.openChart.text, interactions: report.interactionTable.text,
            id: report.message.id.description, made: format.minute(report.message.createdAt),
            expires: content.expiresAt.map(format.minute) ?? texts.never, state: state.html(format).text,
            hasTags: !content.tags.isEmpty,
            tags: content.tags.map { tag in
                View.Tag(name: tag.text, path: ConsoleCall.address(call.path("campaigns"), [("tag", tag.text)]))
            },
            purposes: purposes.shared.map(\.description)
                ?? texts.clicksAndOpens(purposes.clicks.description, purposes.opens.description),
            countedUntil: report.counts.peopleCountedUntil.map(format.minute), toggle: try toggle(report, call))
    }

    /// The form that switches the links off or on, if the account may do so.
    private func toggle(_ report: MessageReportView, _ call: ConsoleCall) throws -> View.Switch? {
        guard try call.account.has([.manager], in: report.message.organization) else { return nil }
        let texts = report.texts
        let isDisabled = report.message.isDisabled
        let action = call.path("campaigns/\(report.message.id)/\(isDisabled ? "enable" : "disable")")
        return View.Switch(
            title: isDisabled ? texts.switchOn : texts.switchOff,
            hint: isDisabled ? texts.switchOnHint : texts.switchOffHint, action: action,
            token: try call.formToken(for: action), style: isDisabled ? "" : "danger")
    }

    private func setDisabled(_ isDisabled: Bool, _ call: ConsoleCall) async throws -> ConsoleResponse {
        let id = try call.id("message", as: MessageID.self)
        _ = try await catalog.setDisabled(isDisabled, id, in: try call.requiredOrganization.id)
        call.log(isDisabled ? "message.disable" : "message.enable", details: ["messageId": "\(id)"])
        return .redirect(to: call.path("campaigns/\(id)"))
    }
}
