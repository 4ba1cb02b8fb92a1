import Pages

/// Columns over time or over classes, one or several stacked in each place.
struct ColumnChart {
    typealias Series = ChartPlot.Series

    private static let classes = ["c1", "c2", "c3", "c4", "c5"]
    /// A chart of fewer places leaves room at its end, so that its columns are no blocks.
    private static let fewestPlaces = 10

    /// What stands below each place.
    let labels: [String]
    /// From the lowest up, at most five.
    let series: [Series]

    /// - Parameter table: the same numbers.
    func html(finding: String, table: ConsoleTable, _ format: NumberFormat) -> HTML {
        let order = ChartTexts.all[format.language].stacked
        let legend = ChartPlot.legend(series.map(\.name), order: order) { index in
            "<rect class=\"\(Self.colour(index))\" x=\"6\" width=\"12\" height=\"12\" rx=\"2\"/>"
        }
        return ChartFigure.html(finding: finding, content: "\(legend)\(picture(format))", table: table, format)
    }

    private static func colour(_ index: Int) -> String { classes[index % classes.count] }

    private func picture(_ format: NumberFormat) -> HTML {
        let totals = labels.indices.map { place in series.reduce(0) { $0 + $1.number(at: place) } }
        let plot = ChartPlot(scale: ChartScale(upTo: totals.max() ?? 0), labels: labels)
        let slot = 1 / Double(max(labels.count, Self.fewestPlaces))
        let gap = labels.count > 20 ? 0.08 : 0.16
        let columns = labels.indices.compactMap { place -> HTML? in
            guard totals[place] > 0 else { return nil }
            var below = 0
            let parts = series.enumerated().compactMap { index, part -> HTML? in
                let number = part.number(at: place)
                guard number > 0 else { return nil }
                let foot = plot.y(below)
                below += number
                // Something is seen of every number that is not 0.
                let head = min(plot.y(below), foot - 1.5)
                return """
                    <rect class="\(Self.colour(index))" x="\((slot * (Double(place) + gap)).ofWidth)" y="\(head.short)" \
                    width="\((slot * (1 - 2 * gap)).ofWidth)" height="\((foot - head).short)"/>
                    """
            }
            return "<g>\(ChartPlot.title(labels[place], series, at: place, format))\(HTML(lines: parts))</g>"
        }
        return plot.html(format, x: { slot * (Double($0) + 0.5) }, marks: HTML(lines: columns))
    }
}
