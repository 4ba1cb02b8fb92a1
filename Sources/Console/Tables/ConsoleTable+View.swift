import HTTPAPI
import Identifiers
import Pages

extension ConsoleTable {
    /// The table as HTML. On a narrow window each row becomes a block, in which every cell says its column.
    func html(_ format: NumberFormat) -> HTML {
        guard !rows.isEmpty else { return "<p class=\"empty\">\(whenEmpty)</p>" }
        let head = HTML(lines: columns.map { column in
            let numeric: HTML = column.kind == .number ? " class=\"number\"" : ""
            let order: HTML = column.sort?.order.map { " aria-sort=\"\($0.rawValue)\"" } ?? ""
            guard let sort = column.sort else { return "<th scope=\"col\"\(numeric)>\(column.title)</th>" }
            return "<th scope=\"col\"\(numeric)\(order)><a href=\"\(sort.path)\">\(column.title)</a></th>"
        })
        let body = HTML(lines: rows.map { row in
            let cells = HTML(lines: zip(columns, row).enumerated().map { index, pair in
                let (column, cell) = pair
                let numeric: HTML = column.kind == .number ? " class=\"number\"" : ""
                let content = cell.html(format)
                return index == 0
                    ? "<th scope=\"row\"\(numeric) data-label=\"\(column.title)\">\(content)</th>"
                    : "<td\(numeric) data-label=\"\(column.title)\">\(content)</td>"
            })
            return "<tr>\(cells)</tr>"
        })
        return """
            <div class="table" role="region" aria-label="\(caption)" tabindex="0">
            <table><caption>\(caption)</caption>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(body)
            </tbody></table>
            </div>
            """
    }
}

extension ConsoleTable.Cell {
    func html(_ format: NumberFormat) -> HTML {
        switch self {
        case .text(let text): "\(text)"
        case .code(let text): "<code>\(text)</code>"
        case .link(let text, let path): "<a href=\"\(path)\">\(text)</a>"
        case .number(let number): "\(format.integer(number))"
        case .share(let share): "\(format.percent(ifKnown: share))"
        case .time(let time?): "<time datetime=\"\(time.rfc3339)\">\(format.minute(time))</time>"
        case .state(let text, _, let tone): "<span class=\"state \(tone.rawValue)\">\(text)</span>"
        case .time(nil), .none: "–"
        }
    }

    /// In CSV; `nil` for an empty cell.
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
