import Pages

/// Lines over time, one for each series. They differ in their strokes as well as in their colours.
struct LineChart {
    private static let width = 760
    private static let height = 240
    private static let (left, right, top, bottom) = (56, 12, 28, 28)
    private static let mostLabels = 8

    /// What stands below each place.
    let labels: [String]
    /// At most four.
    let series: [ColumnChart.Series]

    func html(finding: String, table: ConsoleTable, _ format: NumberFormat) -> HTML {
        ChartFigure.html(
            finding: finding, picture: picture(format), size: (Self.width, Self.height), table: table, format)
    }

    private func picture(_ format: NumberFormat) -> HTML {
        let scale = ChartScale(upTo: series.flatMap(\.numbers).max() ?? 0)
        let plot = (width: Self.width - Self.left - Self.right, height: Self.height - Self.top - Self.bottom)
        let grid = scale.steps.map { step -> HTML in
            let y = Self.top + plot.height - plot.height * step / scale.top
            return """
                <line class="grid" x1="\(String(Self.left))" x2="\(String(Self.width - Self.right))" y1="\(String(y))" \
                y2="\(String(y))"/><text class="quiet-text" x="\(String(Self.left - 8))" y="\(String(y + 4))" \
                text-anchor="end">\(format.integer(step))</text>
                """
        }
        let slot = Double(plot.width) / Double(max(labels.count - 1, 1))
        let every = max((labels.count + Self.mostLabels - 1) / Self.mostLabels, 1)
        let names = stride(from: 0, to: labels.count, by: every).map { place -> HTML in
            """
            <text class="quiet-text" x="\((Double(Self.left) + slot * Double(place)).short)" \
            y="\(String(Self.height - 8))" text-anchor="\(place == 0 ? "start" : "middle")">\(labels[place])</text>
            """
        }
        let lines = series.enumerated().map { index, part -> HTML in
            let points = part.numbers.enumerated().map { place, number in
                let x = Double(Self.left) + slot * Double(place)
                let y = Double(Self.top + plot.height) - Double(plot.height) * Double(number) / Double(scale.top)
                return "\(x.short),\(y.short)"
            }
            return "<polyline class=\"line l\(String(index % 4 + 1))\" points=\"\(points.joined(separator: " "))\"/>"
        }
        return HTML(lines: grid + names + lines + [legend])
    }

    private var legend: HTML {
        guard series.count > 1 else { return "" }
        var x = Self.left
        return HTML(lines: series.enumerated().map { index, part in
            defer { x += 44 + 7 * part.name.count }
            return """
                <line class="line l\(String(index % 4 + 1))" x1="\(String(x))" x2="\(String(x + 26))" y1="10" y2="10"/>\
                <text x="\(String(x + 32))" y="14">\(part.name)</text>
                """
        })
    }
}
