import JSON

/// Prints answers: as lines for people, or as the service's JSON for programs.
struct Output {
    let isJSON: Bool

    func show(_ document: JSONValue, _ lines: () -> [String]) {
        if isJSON {
            sayJSON(document.serialized())
        } else {
            for line in lines() { say(line) }
        }
    }

    /// Columns of equal width, for people.
    static func table(_ rows: [[String]]) -> [String] {
        let rows = rows.map { $0.map(\.shown) }
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
