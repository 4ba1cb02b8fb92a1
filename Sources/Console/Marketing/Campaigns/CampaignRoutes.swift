import Identifiers
import Messages
import Organizations
import Pages
import Reports

/// The messages of an organization, with the results of each. Unlike for a report of the API, the page does not wait
/// for the drain: while many people click, the clicks of the last moments are not counted yet.
struct CampaignRoutes {
    private static let pageSize = 25
    /// The most messages in a file, or in a list that is not sorted by time: the newest ones that match.
    private static let maximumMessageCount = 500

    let messages: any MessageArchive
    let reports: any ReportStore

    var routes: [ConsoleRoute] { [.page("/orgs/{org}/campaigns", .roles([.marketer, .auditor]), work: .heavy, list)] }

    private struct View {
        struct Choice {
            let value: String
            let name: String
            let isChosen: Bool
        }

        let texts: CampaignTexts
        let action: String
        let from: String
        let to: String
        let tag: String
        let keys: [Choice]
        let orders: [Choice]
        let isFiltered: Bool
        let all: String
        let notes: [String]
        let table: String
        let isPaged: Bool
        let previous: String?
        let previousName: String
        let next: String?
        let nextName: String
    }

    /// The messages to show, and the place of the next ones.
    private struct Found {
        var rows: [CampaignRow]
        var previous: String?
        var next: String?
        /// Whether there are more messages than were sorted.
        var isCut = false

        var isPaged: Bool { previous != nil || next != nil }
    }

    @Sendable private func list(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let texts = CampaignTexts.all[call.language]
        let organization = try call.requiredOrganization.id
        let key = try call.queryChoice("sort", as: CampaignSort.Key.self) ?? .made
        let order = try call.queryChoice("order", as: ConsoleTable.Sort.Order.self) ?? key.usual
        let sort = CampaignSort(key: key, order: order)
        let days = try call.queryDays()
        let query = MessageQuery(
            tag: try call.queryValue("tag", MessageTag.init), from: days.from, to: days.to,
            after: try call.queryID("after"))
        let found: Found =
            if call.wantsFile {
                Found(rows: try await selection(query, by: sort, hasFigures: true, in: organization).rows)
            } else if sort == .newestFirst {
                try await newest(query, call, organization)
            } else {
                try await sorted(sort, query, call, organization)
            }
        let table = CampaignTable(rows: found.rows, call: call, texts: texts, sort: sort)
        return .page(
            ConsolePage(
                area: .campaigns, title: texts.title, lead: texts.lead,
                content: call.wantsFile ? "" : Templates.render("campaigns", view(found, table)),
                tables: [table.file]))
    }

    private func view(_ found: Found, _ table: CampaignTable) -> View {
        let (call, texts, sort) = (table.call, table.texts, table.sort)
        let most = call.format.integer(Self.maximumMessageCount)
        var notes: [String] = []
        if found.isCut { notes.append(texts.cut(most)) }
        if found.isPaged { notes.append(texts.files(most)) }
        let isNewestFirst = sort == .newestFirst
        return View(
            texts: texts, action: call.path, from: call.query("from") ?? "", to: call.query("to") ?? "",
            tag: (call.query("tag") ?? "").escapedForHTML.text,
            keys: CampaignSort.Key.allCases.map { key in
                View.Choice(value: key.rawValue, name: texts.name(of: key), isChosen: key == sort.key)
            },
            orders: ConsoleTable.Sort.Order.allCases.map { order in
                View.Choice(value: order.rawValue, name: texts.name(of: order), isChosen: order == sort.order)
            },
            isFiltered: !Self.filters(call).isEmpty, all: call.path, notes: notes,
            table: table.shown.html(call.format).text, isPaged: found.isPaged, previous: found.previous,
            previousName: isNewestFirst ? texts.newest : texts.previous, next: found.next,
            nextName: isNewestFirst ? texts.older : texts.next)
    }

    private func newest(
        _ query: MessageQuery, _ call: ConsoleCall, _ organization: OrganizationID
    ) async throws -> Found {
        guard let found = try await messages.messages(matching: query, limit: Self.pageSize + 1, in: organization)
        else { throw ConsoleRefusal.notFound }
        let shown = found.prefix(Self.pageSize).map { CampaignRow(message: $0) }
        var page = Found(rows: try await withFigures(shown, in: organization))
        if found.count > shown.count, let last = shown.last {
            page.next = ConsoleCall.address(call.path, Self.filters(call) + [("after", last.message.id.description)])
        }
        if query.after != nil { page.previous = ConsoleCall.address(call.path, Self.filters(call)) }
        return page
    }

    private func sorted(
        _ sort: CampaignSort, _ query: MessageQuery, _ call: ConsoleCall, _ organization: OrganizationID
    ) async throws -> Found {
        let (rows, isCut) = try await selection(
            query, by: sort, hasFigures: sort.key.needsFigures, in: organization)
        let last = max((rows.count + Self.pageSize - 1) / Self.pageSize, 1)
        let number = min(max(call.query("page").flatMap { Int($0) } ?? 1, 1), last)
        let first = (number - 1) * Self.pageSize
        var shown = Array(rows.dropFirst(first).prefix(Self.pageSize))
        if !sort.key.needsFigures { shown = try await withFigures(shown, in: organization) }
        let address = { (page: Int) in
            ConsoleCall.address(
                call.path,
                Self.filters(call) + [
                    ("sort", sort.key.rawValue), ("order", sort.order.rawValue), ("page", String(page)),
                ])
        }
        return Found(
            rows: shown, previous: number > 1 ? address(number - 1) : nil,
            next: number < last ? address(number + 1) : nil, isCut: isCut)
    }

    /// All messages that match, on any page, sorted; with their figures if these are needed.
    private func selection(
        _ query: MessageQuery, by sort: CampaignSort, hasFigures: Bool, in organization: OrganizationID
    ) async throws -> (rows: [CampaignRow], isCut: Bool) {
        var query = query
        query.after = nil
        let found =
            try await messages.messages(matching: query, limit: Self.maximumMessageCount + 1, in: organization) ?? []
        var rows = found.prefix(Self.maximumMessageCount).map { CampaignRow(message: $0) }
        if hasFigures { rows = try await withFigures(rows, in: organization) }
        // The archive has them newest first.
        return (sort == .newestFirst ? rows : sort.sorted(rows), found.count > Self.maximumMessageCount)
    }

    private func withFigures(_ rows: [CampaignRow], in organization: OrganizationID) async throws -> [CampaignRow] {
        let figures = try await reports.figures(of: rows.map(\.message.id), in: organization)
        return rows.map { CampaignRow(message: $0.message, figures: figures[$0.message.id]) }
    }

    /// The members of the query that select messages.
    static func filters(_ call: ConsoleCall) -> [(String, String)] { call.queryMembers(["from", "to", "tag"]) }
}
