import Pages

/// Horizontal bars, one below the other, each with its name above it and its number at its end: for parts of a whole, a
/// funnel, or links.
struct BarChart {
    struct Bar {
        let name: String
        let number: Int
        /// Beside the number, such as a rate.
        let note: String
        /// Which of the chart's colours; `nil` for what is not known or left over.
        let colour: Int?

        init(_ name: String, _ number: Int, note: String = "", colour: Int? = 1) {
            self.name = name
            self.number = number
            self.note = note
            self.colour = colour
        }
    }

    private static let width = 760
    private static let rowHeight = 44
    private static let barHeight = 16
    private static let room = 190

    let bars: [Bar]
    /// What the whole width stands for; `nil` for the longest bar.
    var whole: Int?

    func html(finding: String, table: ConsoleTable, _ format: NumberFormat) -> HTML {
        ChartFigure.html(
            finding: finding, picture: picture(format), size: (Self.width, max(bars.count, 1) * Self.rowHeight),
            table: table, format)
    }

    private func picture(_ format: NumberFormat) -> HTML {
        let most = max(whole ?? bars.map(\.number).max() ?? 1, 1)
        return HTML(lines: bars.enumerated().map { index, bar in
            let y = index * Self.rowHeight
            let size = Double(Self.width - Self.room) * Double(bar.number) / Double(most)
            let colour = bar.colour.map { "c\($0)" } ?? "rest"
            let number = format.integer(bar.number) + (bar.note.isEmpty ? "" : "  " + bar.note)
            return """
                <text x="0" y="\(String(y + 14))">\(bar.name)</text>\
                <rect class="\(colour)" x="0" y="\(String(y + 20))" width="\(max(size, 1).short)" \
                height="\(String(Self.barHeight))" rx="2"/>\
                <text x="\((max(size, 1) + 8).short)" y="\(String(y + 33))">\(number)</text>
                """
        })
    }
}
