import JSON

/// Prints answers: as lines for people, or as the service's JSON for programs.
struct Output {
    let isJSON: Bool

    func show(_ document: JSONValue, _ lines: () -> [String]) { writeAnswer(text(of: document, lines)) }

    /// Prints the result of a request whose answer has no document: `members` for programs, `line` for people.
    func showDone(_ members: KeyValuePairs<String, JSONValue>, _ line: String) {
        var object = JSONObject()
        for (name, value) in members { _ = object.append(name, value) }
        show(.object(object)) { [line] }
    }

    /// Prints something that the service shows only once.
    ///
    /// - Parameter lost: the advice if it cannot be written: how to remove what was made.
    /// - Throws: also if the reader of standard output has closed it.
    func showOnce(_ document: JSONValue, lost: String, _ lines: () -> [String]) throws(CommandFailure) {
        do throws(StandardStream.Fault) {
            try StandardStream.output.write(text(of: document, lines))
        } catch {
            throw CommandFailure("consentlink: \(error)").adding(lost)
        }
    }

    private func text(of document: JSONValue, _ lines: () -> [String]) -> [UInt8] {
        let lines = isJSON ? [TerminalText.escapedJSON(document.serialized())] : lines().map(\.shown)
        return Array(lines.map { $0 + "\n" }.joined().utf8)
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
