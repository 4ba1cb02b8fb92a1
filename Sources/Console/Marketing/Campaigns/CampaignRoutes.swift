import Identifiers
import Messages
import Organizations
import Pages
import Redirect
import Reports

/// The messages of an organization, with what became of each.
struct CampaignRoutes {
    private static let pageSize = 25
    /// So many messages are sorted by something else than their time; the newest ones of those that were asked for.
    private static let mostSorted = 500

    let messages: any MessageArchive
    let reports: any ReportStore
    let drain: Drain

    var routes: [ConsoleRoute] { [.page("/orgs/{org}/campaigns", .roles([.marketer, .auditor]), list)] }

    private struct View {
        let texts: CampaignTexts
        let action: String
        let from: String
        let to: String
        let tag: String
        let sort: String?
        let order: String?
        let isFiltered: Bool
        let all: String
        let note: String?
        let table: String
        let previous: String?
        let previousName: String
        let next: String?
        let nextName: String
    }

    /// What is shown, and where more is.
    private struct Found {
        var rows: [CampaignRow]
        var previous: String?
        var next: String?
        /// There are more messages than were sorted.
        var isCut = false
    }

    @Sendable private func list(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        let texts = CampaignTexts.all[call.language]
        let organization = try call.requiredOrganization.id
        let key = try call.queryChoice("sort", as: CampaignSort.Key.self) ?? .made
        let order = try call.queryChoice("order", as: ConsoleTable.Sort.Order.self) ?? key.usual
        let sort = CampaignSort(key: key, order: order)
        let query = MessageQuery(
            tag: try call.queryValue("tag", MessageTag.init), from: try call.queryDay("from"),
            to: try call.queryDay("to"),
            after: try call.queryValue("after") { text throws(IdentifierError) in try MessageID(text) })
        await drain.catchUp()
        let found =
            sort == .newestFirst
            ? try await newest(query, call, organization) : try await sorted(sort, query, call, organization)
        let table = CampaignTable(rows: found.rows, call: call, texts: texts, sort: sort)
        let isNewestFirst = sort == .newestFirst
        let view = View(
            texts: texts, action: call.path, from: call.query("from") ?? "", to: call.query("to") ?? "",
            tag: call.query("tag") ?? "", sort: isNewestFirst ? nil : key.rawValue,
            order: isNewestFirst ? nil : order.rawValue, isFiltered: !Self.filters(call).isEmpty, all: call.path,
            note: found.isCut ? texts.cut(call.format.integer(Self.mostSorted)) : nil,
            table: table.shown.html(call.format).text, previous: found.previous,
            previousName: isNewestFirst ? texts.newest : texts.previous, next: found.next,
            nextName: isNewestFirst ? texts.older : texts.next)
        return .page(
            ConsolePage(
                area: .campaigns, title: texts.title, lead: texts.lead,
                content: Templates.render("campaigns", view), tables: [table.file]))
    }

    private func newest(
        _ query: MessageQuery, _ call: ConsoleCall, _ organization: OrganizationID
    ) async throws -> Found {
        guard let found = try await messages.messages(matching: query, limit: Self.pageSize + 1, in: organization) else {
            throw ConsoleRefusal.notFound
        }
        let shown = found.prefix(Self.pageSize).map { CampaignRow(message: $0) }
        var page = Found(rows: try await withFigures(Array(shown), in: organization))
        if found.count > shown.count, let last = shown.last {
            page.next = ConsoleCall.address(call.path, Self.filters(call) + [("after", last.message.id.description)])
        }
        if query.after != nil { page.previous = ConsoleCall.address(call.path, Self.filters(call)) }
        return page
    }

    private func sorted(
        _ sort: CampaignSort, _ query: MessageQuery, _ call: ConsoleCall, _ organization: OrganizationID
    ) async throws -> Found {
        var query = query
        query.after = nil
        let found = try await messages.messages(matching: query, limit: Self.mostSorted + 1, in: organization) ?? []
        var rows = found.prefix(Self.mostSorted).map { CampaignRow(message: $0) }
        if sort.key.needsFigures { rows = try await withFigures(rows, in: organization) }
        rows = sort.sorted(rows)
        let number = max(call.query("page").flatMap { Int($0) } ?? 1, 1)
        let first = min(number - 1, Self.mostSorted) * Self.pageSize
        var shown = Array(rows.dropFirst(first).prefix(Self.pageSize))
        if !sort.key.needsFigures { shown = try await withFigures(shown, in: organization) }
        let address = { (page: Int) in
            ConsoleCall.address(
                call.path,
                Self.filters(call) + [("sort", sort.key.rawValue), ("order", sort.order.rawValue), ("page", String(page))])
        }
        return Found(
            rows: shown, previous: number > 1 ? address(number - 1) : nil,
            next: first + shown.count < rows.count && !shown.isEmpty ? address(number + 1) : nil,
            isCut: found.count > Self.mostSorted)
    }

    private func withFigures(_ rows: [CampaignRow], in organization: OrganizationID) async throws -> [CampaignRow] {
        var rows = rows
        for place in rows.indices {
            rows[place].figures = try await reports.counts(of: rows[place].message.id, in: organization)?.figures
        }
        return rows
    }

    /// The members of the query that say which messages are meant.
    static func filters(_ call: ConsoleCall) -> [(String, String)] {
        ["from", "to", "tag"].compactMap { name in call.query(name).map { (name, $0) } }
    }
}
