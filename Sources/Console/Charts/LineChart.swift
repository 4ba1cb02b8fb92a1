import Pages

/// Lines over time, one for each series. They differ in their strokes as well as in their colours.
struct LineChart {
    private static let strokes = 5
    /// The width of the lines' own coordinates, which are stretched to the page.
    private static let width = 1000

    /// The labels below the places.
    let labels: [String]
    /// At most five.
    let series: [ChartPlot.Series]

    func html(finding: String, table: ConsoleTable, _ format: NumberFormat) -> HTML {
        let legend = ChartPlot.legend(series.map(\.name)) { index in
            "<line class=\"line l\(Self.stroke(index))\" x1=\"0\" x2=\"24\" y1=\"6\" y2=\"6\"/>"
        }
        return ChartFigure.html(finding: finding, content: "\(legend)\(picture(format))", table: table, format)
    }

    private static func stroke(_ index: Int) -> String { String(index % strokes + 1) }

    private func picture(_ format: NumberFormat) -> HTML {
        let plot = ChartPlot(scale: ChartScale(upTo: series.flatMap(\.numbers).max() ?? 0), labels: labels)
        let slot = 1 / Double(max(labels.count - 1, 1))
        let foot = plot.y(0)
        let lines = series.enumerated().reversed().map { index, part -> HTML in
            let points = part.numbers.enumerated().map { place, number in
                "\((slot * Double(place) * Double(Self.width)).short),\(plot.y(number).short)"
            }.joined(separator: " ")
            let isAlone = series.count == 1 && part.numbers.count > 1
            let area: HTML =
                isAlone
                ? "<polygon class=\"area\" points=\"0,\(foot.short) \(points) \(String(Self.width)),\(foot.short)\"/>"
                : ""
            return """
                \(area)<polyline class="line l\(Self.stroke(index))" points="\(points)" vector-effect="non-scaling-stroke"/>
                """
        }
        let ends = series.enumerated().reversed().compactMap { index, part -> HTML? in
            guard let last = part.numbers.last else { return nil }
            let x = (slot * Double(part.numbers.count - 1)).ofWidth
            return "<circle class=\"c\(Self.stroke(index))\" cx=\"\(x)\" cy=\"\(plot.y(last).short)\" r=\"3.5\"/>"
        }
        let height = String(Int(foot) + 2)
        return plot.html(
            format, x: { slot * Double($0) },
            marks: """
                <svg viewBox="0 0 \(String(Self.width)) \(height)" width="100%" height="\(height)" \
                preserveAspectRatio="none">\(HTML(lines: lines))</svg>
                \(HTML(lines: ends))
                """)
    }
}
