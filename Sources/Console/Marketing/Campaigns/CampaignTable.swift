import ASCII
import HTTPAPI
import Identifiers
import Messages
import Reports

/// The list of messages as a table: the part on the page, and all of it for a file.
struct CampaignTable {
    let rows: [CampaignRow]
    let call: ConsoleCall
    let texts: CampaignTexts
    let sort: CampaignSort

    var shown: ConsoleTable {
        ConsoleTable(
            name: "messages", caption: texts.caption,
            columns: [
                column("name", .name), column("createdAt", .made), column("composed", .people, .number),
                column("coverage", .coverage, .number), column("clickRate", .clicks, .number),
                .init("state", texts.state),
            ],
            rows: rows.map { row in
                [
                    .link(
                        row.message.name.isBlank ? texts.unnamed : row.message.name,
                        path: call.path("campaigns/\(row.message.id)")),
                    .time(row.message.createdAt), .number(row.figures?.composed ?? 0), .share(row.coverage),
                    .share(row.clickRate), Self.state(row.message.isDisabled, row.message.expiresAt, call, texts),
                ]
            }, whenEmpty: texts.empty)
    }

    /// With more columns: the base of the rates, and their intervals.
    var file: ConsoleTable {
        ConsoleTable(
            file: "messages", texts.caption,
            [
                "id", "name", "tags", "createdAt", "state", "composed", "tracked", "coverage", "clickers", "clickRate",
                "clickRateLow", "clickRateHigh",
            ],
            rows.map { row in
                let rate = row.figures?.clickRate.estimate
                return [
                    .code(row.message.id.description), .text(row.message.name),
                    .text(row.message.tags.map(\.text).joined(separator: " ")), .time(row.message.createdAt),
                    Self.state(row.message.isDisabled, row.message.expiresAt, call, texts),
                    .number(row.figures?.composed ?? 0), .number(row.figures?.tracked[.clicks] ?? 0),
                    .share(row.coverage), row.figures?.responders.map { .number($0.clickers) } ?? .none,
                    .share(rate?.value), .share(rate?.low), .share(rate?.high),
                ]
            })
    }

    private func column(
        _ name: String, _ key: CampaignSort.Key, _ kind: ConsoleTable.Column.Kind = .text
    ) -> ConsoleTable.Column {
        ConsoleTable.Column(name, texts.name(of: key), kind, sort: link(key))
    }

    private func link(_ key: CampaignSort.Key) -> ConsoleTable.Sort {
        let next = sort.next(by: key)
        let members = next == .newestFirst ? [] : [("sort", key.rawValue), ("order", next.order.rawValue)]
        return ConsoleTable.Sort(
            path: ConsoleCall.address(call.path, CampaignRoutes.filters(call) + members),
            order: key == sort.key ? sort.order : nil)
    }

    /// Whether the links of a message redirect, and whether clicks are recorded. A link redirects after its end, too.
    static func state(
        _ isDisabled: Bool, _ expiresAt: Timestamp?, _ call: ConsoleCall, _ texts: CampaignTexts
    ) -> ConsoleTable.Cell {
        if isDisabled { return .state(texts.off, code: "off", tone: .warning) }
        if let expiresAt, expiresAt <= call.now { return .state(texts.expired, code: "expired", tone: .neutral) }
        return .state(texts.on, code: "on", tone: .good)
    }
}
