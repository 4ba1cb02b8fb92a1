import Pages

/// The frame of charts over time or over classes: an axis of numbers at the left, and a label below each place.
///
/// Horizontal lengths are parts of the width, vertical lengths are pixels: text has the same size on a page of any
/// width.
struct ChartPlot {
    /// The name of a series, and its number in each place.
    struct Series {
        let name: String
        let numbers: [Int]

        func number(at place: Int) -> Int { numbers.indices.contains(place) ? numbers[place] : 0 }
    }

    static let height = 200
    private static let (top, bottom) = (12, 28)
    /// The most labels below the places; on a narrow page every other one of them is hidden.
    private static let maximumLabelCount = 8

    let scale: ChartScale
    /// The labels below the places.
    let labels: [String]

    /// - Parameters:
    ///   - x: the place of a label, from 0 to 1.
    ///   - marks: the drawing over the lines of the axis.
    func html(_ format: NumberFormat, x: (Int) -> Double, marks: HTML) -> HTML {
        """
        <svg class="plot" width="100%" height="\(String(Self.top + Self.height + Self.bottom))" aria-hidden="true" \
        focusable="false">
        \(axis(format))
        \(marks)
        \(names(x))
        </svg>
        """
    }

    func y(_ number: Int) -> Double { Double(Self.top) + Double(Self.height) * (1 - scale.part(of: number)) }

    private func axis(_ format: NumberFormat) -> HTML {
        HTML(
            lines: scale.steps.map { step in
                let y = y(step)
                return """
                    <line class="\(step == 0 ? "axis" : "grid")" x1="0" x2="100%" y1="\(y.short)" y2="\(y.short)"/>\
                    <text class="quiet-text" x="-8" y="\((y + 4).short)" text-anchor="end">\(format.compact(step))</text>
                    """
            })
    }

    private func names(_ x: (Int) -> Double) -> HTML {
        let every = max((labels.count + Self.maximumLabelCount - 1) / Self.maximumLabelCount, 1)
        let y = String(Self.top + Self.height + 20)
        return HTML(
            lines: stride(from: 0, to: labels.count, by: every).map { place in
                let x = x(place)
                let anchor = x < 0.02 ? "start" : x > 0.98 ? "end" : "middle"
                let isSparse: HTML = labels.count > 4 && (place / every) % 2 == 1 ? " sparse" : ""
                return """
                    <text class="quiet-text\(isSparse)" x="\(x.ofWidth)" y="\(y)" text-anchor="\(anchor)">\(labels[place])</text>
                    """
            })
    }

    /// Names the series, in words.
    /// - Parameters:
    ///   - order: explains their order; empty if the order has no meaning.
    ///   - key: a sample of each, 24 by 12 pixels.
    static func legend(_ names: [String], order: String = "", key: (Int) -> HTML) -> HTML {
        guard names.count > 1 else { return "" }
        let items = HTML(
            lines: names.enumerated().map { index, name in
                """
                <li><svg class="key" width="24" height="12" aria-hidden="true" focusable="false">\(key(index))</svg> \(name)</li>
                """
            })
        let lead: HTML = order.isEmpty ? "" : "<p class=\"legend-order\">\(order)</p>"
        return "<div class=\"legend\">\(lead)<ul>\(items)</ul></div>"
    }

    /// The tooltip of a place.
    static func title(_ label: String, _ series: [Series], at place: Int, _ format: NumberFormat) -> HTML {
        let numbers = series.map { "\($0.name): \(format.integer($0.number(at: place)))" }.joined(separator: "\n")
        return "<title>\(label)\n\(numbers)</title>"
    }
}

extension NumberFormat {
    /// For an axis: `20,000` as `20k`, `3,000,000` as `3M`.
    func compact(_ number: Int) -> String {
        guard number >= 10_000 else { return integer(number) }
        let (size, unit) = number >= 1_000_000 ? (1_000_000, "M") : (1_000, "k")
        return number % size == 0 ? integer(number / size) + unit : decimal(Double(number) / Double(size)) + unit
    }
}
