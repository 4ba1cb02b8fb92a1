import Counting
import Identifiers
import Interactions
import Pages
import Redirect
import StoragePorts

/// Whether clicks are being lost now, and the last 24 hours. The page works while no database does: except the list of
/// nodes, everything is read from memory, or, for disk space and the newest backup, from the file system.
struct HealthRoutes {
    /// How often the page reloads without scripts: a lost click must be visible within two seconds.
    private static let refreshSeconds = 1

    let state: @Sendable () -> ServiceState
    let nodes: (any NodeRegistry)?

    var routes: [ConsoleRoute] { [.page("/health", .operatorAlone, show)] }

    private struct View {
        let texts: HealthTexts
        let tone: String
        let headline: String
        let detail: String
        let readiness: String
        let facts: String
        let unrecorded: String
        let nodes: String?
        let charts: String
        let asOf: String
        /// ``asOf`` without the day.
        let time: String
        /// The address from which the browser reloads automatically; `nil` if it does now.
        let refresh: String?
        /// The address that stops it; `nil` if it does not reload now.
        let stop: String?
    }

    @Sendable private func show(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let texts = HealthTexts.all[call.language]
        let state = state()
        let banner = HealthBanner(state, texts, call.format)
        let facts = HealthFacts(state: state, texts: texts, format: call.format)
        let day = HealthDay(minutes: state.history.minutes(until: call.now), texts: texts, format: call.format)
        let unrecorded = unrecordedTable(state, texts)
        let nodes = await nodesTable(state, texts, call.tools.wait)
        let isRefreshed = call.query("refresh") != nil
        let refreshed = call.address(adding: [("refresh", String(Self.refreshSeconds))])
        let view = View(
            texts: texts, tone: banner.tone.rawValue, headline: banner.headline, detail: banner.detail,
            readiness: facts.readinessHTML.text, facts: facts.html.text, unrecorded: unrecorded.html(call.format).text,
            nodes: nodes?.html(call.format).text, charts: day.html.text, asOf: call.format.second(call.now),
            time: String(call.format.second(call.now).suffix(8)),
            refresh: isRefreshed ? nil : refreshed, stop: isRefreshed ? call.path : nil)
        var page = ConsolePage(
            area: .health, title: texts.title, content: Templates.render("health", view),
            tables: [facts.table(banner), unrecorded, day.minutesTable] + [nodes].compactMap(\.self))
        page.refresh = isRefreshed ? Self.refreshSeconds : nil
        return .page(page)
    }

    private func unrecordedTable(_ state: ServiceState, _ texts: HealthTexts) -> ConsoleTable {
        let rows = UnrecordedReason.allCases.compactMap { reason -> [ConsoleTable.Cell]? in
            guard let count = state.sample.unrecorded[reason], count > 0 else { return nil }
            return [.text(texts.reason(reason)), .code(reason.label), .number(Int(clamping: count))]
        }
        return ConsoleTable(
            name: "unrecorded", caption: "\(texts.unrecordedCaption), \(texts.sinceStart)",
            columns: [.init("text", texts.why), .init("reason", "ID"), .init("clicks", texts.clicks, .number)],
            rows: rows, whenEmpty: texts.nothingUnrecorded)
    }

    /// `nil` if there are no other nodes. Asks the database, unless this node knows that it does not answer.
    private func nodesTable(_ state: ServiceState, _ texts: HealthTexts, _ wait: StoreWait) async -> ConsoleTable? {
        guard let nodes, let sharing = state.sharing else { return nil }
        let found = sharing.isFresh ? (try? await wait.answer { try await nodes.nodes() }) ?? [] : []
        let rows = found.map { node -> [ConsoleTable.Cell] in
            let state: ConsoleTable.Cell =
                switch (node.state, node.isAlive) {
                case (.stopped, _): .state(texts.stopped, code: "stopped", tone: .neutral)
                case (.running, true): .state(texts.running, code: "running", tone: .good)
                case (.running, false): .state(texts.silent, code: "silent", tone: .bad)
                }
            return [
                .code(node.name.description), state, .number(Int(node.lastBeat.components.seconds)),
                .number(Int(clamping: node.changesBehind)), .number(node.spooled),
            ]
        }
        return ConsoleTable(
            name: "nodes", caption: texts.nodesTitle,
            columns: [
                .init("name", texts.node), .init("state", texts.state),
                .init("lastSeenSeconds", texts.lastSeen, .number), .init("changesBehind", texts.behind, .number),
                .init("spooled", texts.spoolDepth, .number),
            ],
            rows: rows, whenEmpty: texts.nodesAway)
    }
}
