import Identifiers
import Messages
import Organizations
import Pages
import Reports

/// The messages of an organization, with what became of each.
struct CampaignRoutes {
    private static let pageSize = 25

    let messages: any MessageArchive
    let reports: any ReportStore

    var routes: [ConsoleRoute] { [.page("/orgs/{org}/campaigns", .roles([.marketer, .auditor]), list)] }

    private struct View {
        let texts: CampaignTexts
        let action: String
        let from: String
        let to: String
        let tag: String
        let table: String
        let older: String?
        let newest: String?
    }

    @Sendable private func list(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        let texts = CampaignTexts.all[call.language]
        let organization = try call.requiredOrganization
        let query = MessageQuery(
            tag: try call.queryValue("tag", MessageTag.init), from: try call.queryDay("from"),
            to: try call.queryDay("to"), after: try call.queryValue("after") { text throws(IdentifierError) in try MessageID(text) })
        guard
            let found = try await messages.messages(matching: query, limit: Self.pageSize + 1, in: organization.id)
        else { throw ConsoleRefusal.notFound }
        let shown = Array(found.prefix(Self.pageSize))
        var rows: [[ConsoleTable.Cell]] = []
        for message in shown {
            let counts = try await reports.counts(of: message.id, in: organization.id)
            rows.append(row(of: message, counts?.figures, call, texts))
        }
        let table = ConsoleTable(
            name: "messages", caption: texts.caption,
            columns: [
                .init("name", texts.message), .init("id", "ID"), .init("createdAt", texts.made),
                .init("composed", texts.composed, .number), .init("coverage", texts.coverage, .number),
                .init("clickers", texts.clickRate, .number), .init("state", texts.state),
            ],
            rows: rows, whenEmpty: texts.empty)
        let hasMore = found.count > shown.count
        let view = View(
            texts: texts, action: call.path, from: call.query("from") ?? "", to: call.query("to") ?? "",
            tag: call.query("tag") ?? "", table: table.html(call.format).text,
            older: hasMore ? shown.last.map { call.address(adding: [("after", $0.id.description)]) } : nil,
            newest: call.query("after") == nil ? nil : call.path)
        return .page(
            ConsolePage(
                area: .campaigns, title: texts.title, lead: texts.lead,
                content: Templates.render("campaigns", view), tables: [table]))
    }

    private func row(
        of message: MessageSummary, _ figures: PeopleFigures?, _ call: ConsoleCall, _ texts: CampaignTexts
    ) -> [ConsoleTable.Cell] {
        let name = message.name
        let isExpired = message.expiresAt.map { $0 <= call.now } ?? false
        let state: ConsoleTable.Cell =
            if message.isDisabled {
                .state(texts.off, code: "off", tone: .warning)
            } else if isExpired {
                .state(texts.expired, code: "expired", tone: .neutral)
            } else {
                .state(texts.on, code: "on", tone: .good)
            }
        return [
            .link(name.isEmpty ? texts.unnamed : name, path: call.path("campaigns/\(message.id)")),
            .code(message.id.description), .time(message.createdAt), .number(figures?.composed ?? 0),
            .share(figures?.coverage(of: .clicks).estimate?.value), .share(figures?.clickRate.estimate?.value), state,
        ]
    }
}
