import Identifiers
import Pages

/// Columns over time or over classes, one or several stacked in each place.
struct ColumnChart {
    typealias Series = ChartPlot.Series

    private static let classes = ["c1", "c2", "c3", "c4", "c5"]
    /// A chart of fewer places has space at its end, so that its columns do not become blocks.
    private static let fewestPlaces = 6
    /// The gap between two parts of a column, in pixels: so they can be distinguished without colours.
    private static let gap = 2.0
    /// The least height of a number that is not 0, in pixels, so that it is visible.
    private static let minimumHeight = 1.5

    /// The labels below the places.
    let labels: [String]
    /// The series from the lowest part up, at most five.
    let series: [Series]

    /// - Parameter table: the same numbers as a table.
    func html(finding: String, table: ConsoleTable, _ format: NumberFormat) -> HTML {
        let order = ChartTexts.all[format.language].stacked
        let legend = ChartPlot.legend(series.map(\.name), order: order) { index in
            "<rect class=\"\(Self.colour(index))\" x=\"6\" width=\"12\" height=\"12\" rx=\"2\"/>"
        }
        return ChartFigure.html(finding: finding, content: "\(legend)\(picture(format))", table: table, format)
    }

    private static func colour(_ index: Int) -> String { classes[index % classes.count] }

    private func picture(_ format: NumberFormat) -> HTML {
        let totals = labels.indices.map { place in series.map { $0.number(at: place) }.countSum }
        let plot = ChartPlot(scale: ChartScale(upTo: totals.max() ?? 0), labels: labels)
        let slot = 1 / Double(max(labels.count, Self.fewestPlaces))
        let margin = labels.count > 20 ? 0.08 : 0.16
        let columns = labels.indices.compactMap { place -> HTML? in
            guard totals[place] > 0 else { return nil }
            let parts = Self.parts(series.map { $0.number(at: place) }, plot).map { index, foot, head -> HTML in
                """
                <rect class="\(Self.colour(index))" x="\((slot * (Double(place) + margin)).ofWidth)" y="\(head.short)" \
                width="\((slot * (1 - 2 * margin)).ofWidth)" height="\((foot - head).short)"/>
                """
            }
            return "<g>\(ChartPlot.title(labels[place], series, at: place, format))\(HTML(lines: parts))</g>"
        }
        return plot.html(format, x: { slot * (Double($0) + 0.5) }, marks: HTML(lines: columns))
    }

    /// The beginning and end of each part of one column, from the lowest up; parts of 0 are left out.
    private static func parts(_ numbers: [Int], _ plot: ChartPlot) -> [(index: Int, foot: Double, head: Double)] {
        var parts: [(index: Int, foot: Double, head: Double)] = []
        var sum = 0
        for (index, number) in numbers.enumerated() where number > 0 {
            let foot = parts.last.map { min(plot.y(sum), $0.head) - gap } ?? plot.y(sum)
            sum.addCount(number)
            parts.append((index, foot, min(plot.y(sum), foot - minimumHeight)))
        }
        return parts
    }
}
