import Pages
import Testing

@testable import Console

@Suite struct ColumnChartTests {
    private func heights(_ numbers: [Int]) -> [(top: Double, bottom: Double)] {
        let series = numbers.map { ColumnChart.Series(name: "x", numbers: [$0]) }
        let html = ColumnChart(labels: ["1"], series: series).html(
            finding: "", table: ConsoleTable(shown: "x", [], []), NumberFormat(language: .english)
        ).text
        return html.matches(of: /<rect class="c\d" x="[\d.]+%" y="(-?[\d.]+)" width="[\d.]+%" height="([\d.]+)"\/>/)
            .compactMap { match -> (top: Double, bottom: Double)? in
                guard let top = Double(match.1), let height = Double(match.2) else { return nil }
                return (top, top + height)
            }
    }

    @Test(
        "something is seen of every number, and a gap between two, so that they are told apart without colours",
        arguments: [
            [3], [3, 4, 5], [1_000_000, 1, 1, 1, 1], [1, 1_000_000, 1], [0, 7, 0, 9],
            [Int](repeating: 1 << 60, count: 5),
        ])
    func gaps(_ numbers: [Int]) {
        let parts = heights(numbers)
        let drawn = numbers.filter { $0 > 0 }
        #expect(parts.count == drawn.count)
        #expect(parts.allSatisfy { $0.bottom - $0.top > 1.3 })
        #expect(zip(parts, parts.dropFirst()).allSatisfy { below, above in below.top - above.bottom > 1.8 })
    }
}
