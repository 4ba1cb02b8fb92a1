import Pages

/// Horizontal bars, one below the other, each with its name above it and its number at its end: for parts of a whole, a
/// funnel, or links.
struct BarChart {
    struct Bar {
        let name: String
        let number: Int
        /// The text beside the number, such as a rate.
        let note: String
        /// The text below the name, such as the place of a link.
        let hint: String
        /// The number of a colour of the chart; `nil` for bars that are unknown or left over.
        let colour: Int?

        init(_ name: String, _ number: Int, note: String = "", hint: String = "", colour: Int? = 1) {
            self.name = name
            self.number = number
            self.note = note
            self.hint = hint
            self.colour = colour
        }
    }

    let bars: [Bar]
    /// The number for the whole width; `nil` for the longest bar.
    var whole: Int?

    func html(finding: String, table: ConsoleTable, _ format: NumberFormat) -> HTML {
        ChartFigure.html(finding: finding, content: picture(format), table: table, format)
    }

    private func picture(_ format: NumberFormat) -> HTML {
        guard !bars.isEmpty else { return "" }
        let most = max(whole ?? 0, bars.map(\.number).max() ?? 0, 1)
        // If the width stands for a number, its end is visible, too.
        let frame: HTML = whole == nil ? "" : " whole"
        let rows = HTML(
            lines: bars.map { bar in
                let part = Double(max(bar.number, 0)) / Double(most)
                let colour = bar.colour.map { "c\($0)" } ?? "rest"
                let note: HTML = bar.note.isEmpty ? "" : " <span class=\"bar-note\">\(bar.note)</span>"
                let hint: HTML = bar.hint.isEmpty ? "" : " <span class=\"bar-hint\">\(bar.hint)</span>"
                let mark: HTML =
                    bar.number > 0 ? "<rect class=\"\(colour)\" width=\"\(part.ofWidth)\" height=\"100%\"/>" : ""
                return """
                    <li><span class="bar-name">\(bar.name.withUnseenCharactersNamed)\(hint)</span>\
                    <span class="bar-number">\(format.integer(bar.number))\(note)</span>\
                    <svg class="bar\(frame)" width="100%" height="12" aria-hidden="true" focusable="false">\
                    <rect class="track" width="100%" height="100%"/>\(mark)</svg></li>
                    """
            })
        return "<ul class=\"bars\">\n\(rows)\n</ul>"
    }
}
