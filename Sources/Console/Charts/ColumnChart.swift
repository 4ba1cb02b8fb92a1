import Pages

/// Columns over time or over classes, one or several stacked in each place.
struct ColumnChart {
    /// What is stacked: its name, and its number in each place.
    struct Series {
        let name: String
        let numbers: [Int]
    }

    private static let width = 760
    private static let height = 240
    private static let (left, right, top, bottom) = (56, 8, 28, 28)
    private static let classes = ["c1", "c2", "c3", "c4"]
    /// Labels below the columns, at most.
    private static let mostLabels = 8

    /// What stands below each place.
    let labels: [String]
    let series: [Series]

    /// - Parameter table: the same numbers.
    func html(finding: String, table: ConsoleTable, _ format: NumberFormat) -> HTML {
        ChartFigure.html(
            finding: finding, picture: picture(format), size: (Self.width, Self.height), table: table, format)
    }

    private var totals: [Int] {
        labels.indices.map { place in series.reduce(0) { $0 + ($1.numbers.indices.contains(place) ? $1.numbers[place] : 0) } }
    }

    private func picture(_ format: NumberFormat) -> HTML {
        let scale = ChartScale(upTo: totals.max() ?? 0)
        let plot = (width: Self.width - Self.left - Self.right, height: Self.height - Self.top - Self.bottom)
        let grid = scale.steps.map { step -> HTML in
            let y = Self.top + plot.height - plot.height * step / scale.top
            return """
                <line class="grid" x1="\(String(Self.left))" x2="\(String(Self.width - Self.right))" y1="\(String(y))" \
                y2="\(String(y))"/><text class="quiet-text" x="\(String(Self.left - 8))" y="\(String(y + 4))" \
                text-anchor="end">\(format.integer(step))</text>
                """
        }
        let slot = Double(plot.width) / Double(max(labels.count, 1))
        let every = (labels.count + Self.mostLabels - 1) / Self.mostLabels
        let columns = labels.indices.map { place -> HTML in
            let x = Double(Self.left) + slot * Double(place)
            var y = Double(Self.top + plot.height)
            let parts = series.enumerated().compactMap { index, part -> HTML? in
                guard part.numbers.indices.contains(place), part.numbers[place] > 0 else { return nil }
                let size = Double(plot.height) * Double(part.numbers[place]) / Double(scale.top)
                y -= size
                return """
                    <rect class="\(Self.classes[index % Self.classes.count])" x="\((x + slot * 0.1).short)" y="\(y.short)" \
                    width="\((slot * 0.8).short)" height="\(size.short)"/>
                    """
            }
            let isLabelled = place % max(every, 1) == 0
            let label: HTML =
                isLabelled
                ? """
                <text class="quiet-text" x="\((x + slot / 2).short)" y="\(String(Self.height - 8))" \
                text-anchor="middle">\(labels[place])</text>
                """ : ""
            return HTML(lines: parts + [label])
        }
        return HTML(lines: grid + columns + [legend])
    }

    /// Names the parts of stacked columns; in words too, since colours alone do not tell everybody.
    private var legend: HTML {
        guard series.count > 1 else { return "" }
        var x = Self.left
        return HTML(lines: series.enumerated().map { index, part in
            defer { x += 28 + 7 * part.name.count }
            return """
                <rect class="\(Self.classes[index % Self.classes.count])" x="\(String(x))" y="4" width="12" height="12"/>\
                <text x="\(String(x + 18))" y="14">\(part.name)</text>
                """
        })
    }
}

/// The lines of an axis that begins at 0.
struct ChartScale {
    /// The uppermost line; at least 1.
    let top: Int
    /// The lines, from 0 up.
    let steps: [Int]

    /// - Parameter greatest: the greatest number that is shown.
    init(upTo greatest: Int) {
        let wanted = max(greatest, 1)
        var step = 1
        // 1, 2, 5, 10, 20, 50, …: at most five steps.
        while wanted > 5 * step {
            let digits = String(step)
            step = digits.hasPrefix("2") ? step / 2 * 5 : step * 2
        }
        let count = (wanted + step - 1) / step
        top = step * count
        steps = (0...count).map { $0 * step }
    }
}

extension Double {
    /// As a coordinate: with one digit behind the point.
    var short: String {
        let tenths = Int((self * 10).rounded())
        let (whole, rest) = tenths.quotientAndRemainder(dividingBy: 10)
        return rest == 0 ? String(whole) : "\(whole).\(abs(rest))"
    }
}
