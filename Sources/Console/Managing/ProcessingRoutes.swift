import Identifiers
import Messages
import Organizations
import Pages
import Webhooks

/// The contents of an organization's record of processing activities.
struct ProcessingRoutes {
    /// How many of the newest messages are read for the purposes that they ask consent for.
    private static let messagesLookedAt = 500

    let messages: any MessageArchive
    let endpoints: any EndpointStore
    let settings: ProcessingSettings

    var routes: [ConsoleRoute] {
        [.page("/orgs/{org}/processing", .roles([.marketer, .auditor, .manager]), show)]
    }

    private struct View {
        let texts: ProcessingTexts
        let asOf: String
        let sections: String
    }

    @Sendable private func show(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let texts = ProcessingTexts.all[call.language]
        let organization = try call.requiredOrganization
        let newest = try await messages.messages(
            matching: MessageQuery(), limit: Self.messagesLookedAt, in: organization.id)
        let purposes = Set((newest ?? []).flatMap(\.purposes.distinct)).sorted { $0.description < $1.description }
        let sheet = ProcessingSheet(
            organization: organization, settings: settings, purposes: purposes,
            endpoints: try await endpoints.endpoints(of: organization.id) ?? [], texts: texts)
        let sections = HTML(
            lines: sheet.sections.map { section in
                let entries = HTML(
                    lines: section.entries.map {
                        "<dt>\($0.title)</dt><dd><bdi>\($0.value.withUnseenCharactersNamed)</bdi></dd>"
                    })
                return "<section class=\"card\"><h2>\(section.title)</h2><dl class=\"pairs\">\(entries)</dl></section>"
            })
        let table = ConsoleTable(
            name: "processing", caption: texts.caption,
            columns: [
                .init("section", texts.section), .init("item", texts.item), .init("title", texts.item),
                .init("entry", texts.entry),
            ],
            rows: sheet.sections.flatMap { section in
                section.entries.map { [.code(section.name), .code($0.name), .text($0.title), .text($0.value)] }
            })
        let view = View(texts: texts, asOf: call.format.minute(call.now), sections: sections.text)
        return .page(
            ConsolePage(
                area: .processing, title: texts.title, lead: texts.lead,
                content: Templates.render("processing", view), tables: [table]))
    }
}
