import HTTPAPI
import Identifiers
import Pages

extension ConsoleTable {
    /// The table as HTML. On a narrow window each row becomes a block, in which every cell names its column. Roles are
    /// stated, because some browsers drop them for parts of a table that the style sheet shows as blocks.
    func html(_ format: NumberFormat) -> HTML {
        guard !rows.isEmpty else { return "<p class=\"empty\">\(whenEmpty)</p>" }
        let body = HTML(lines: rows.map { html(of: $0, format) })
        return """
            <div class="table" role="region" aria-label="\(caption)" tabindex="0">
            <table role="table"><caption>\(caption)</caption>
            <thead role="rowgroup"><tr role="row">\(HTML(lines: columns.map(\.heading)))</tr></thead>
            <tbody role="rowgroup">
            \(body)
            </tbody></table>
            </div>
            """
    }

    private func html(of row: [Cell], _ format: NumberFormat) -> HTML {
        let cells = HTML(
            lines: zip(columns, row).enumerated().map { place, pair in
                let (column, cell) = pair
                let attributes: HTML = "\(column.alignment) data-label=\"\(column.title)\""
                let content = cell.html(format)
                return place == 0
                    ? "<th scope=\"row\" role=\"rowheader\"\(attributes)>\(content)</th>"
                    : "<td role=\"cell\"\(attributes)>\(content)</td>"
            })
        return "<tr role=\"row\">\(cells)</tr>"
    }
}

extension ConsoleTable.Column {
    fileprivate var alignment: HTML {
        switch kind {
        case .text: ""
        case .number: " class=\"number\""
        }
    }

    fileprivate var heading: HTML {
        let order: HTML = sort?.order.map { " aria-sort=\"\($0.rawValue)\"" } ?? ""
        let content: HTML = sort.map { "<a href=\"\($0.path)\">\(title)</a>" } ?? "\(title)"
        return "<th scope=\"col\" role=\"columnheader\"\(alignment)\(order)>\(content)</th>"
    }
}

extension ConsoleTable.Cell {
    func html(_ format: NumberFormat) -> HTML {
        switch self {
        case .text(let text): "\(text.withUnseenCharactersNamed)"
        case .code(let text): "<code>\(text.withUnseenCharactersNamed)</code>"
        case .link(let text, let path): "<a href=\"\(path)\">\(text.withUnseenCharactersNamed)</a>"
        case .number(let number): "\(format.integer(number))"
        case .share(let share): "\(format.percent(ifKnown: share))"
        case .time(let time?): "<time datetime=\"\(time.rfc3339)\">\(format.minute(time))</time>"
        case .state(let text, _, let tone): "<span class=\"state \(tone.rawValue)\">\(text)</span>"
        case .time(nil), .none: "–"
        }
    }

    /// The text in CSV; `nil` for an empty cell.
    var text: String? {
        switch self {
        case .text(let text), .code(let text), .link(let text, _): text
        case .number(let number): String(number)
        case .share(let share): share?.decimal
        case .time(let time): time?.rfc3339
        case .state(_, let code, _): code
        case .none: nil
        }
    }
}
