import Testing

@testable import Console

@Suite struct ChartScaleTests {
    @Test(
        "an axis has at most five steps of 1, 2 or 5 times a power of ten, and ends at or above the greatest number",
        arguments: [
            (-3, [0, 1]), (0, [0, 1]), (1, [0, 1]), (5, [0, 1, 2, 3, 4, 5]), (7, [0, 2, 4, 6, 8]),
            (11, [0, 5, 10, 15]), (100, [0, 20, 40, 60, 80, 100]), (101, [0, 50, 100, 150]),
            (2_000_000, [0, 500_000, 1_000_000, 1_500_000, 2_000_000]),
        ] as [(Int, [Int])])
    func steps(_ greatest: Int, _ steps: [Int]) {
        let scale = ChartScale(upTo: greatest)
        #expect(scale.steps == steps)
        #expect(scale.top == steps.last)
    }

    @Test("a number takes its part of the axis, and nothing takes less than none")
    func parts() {
        let scale = ChartScale(upTo: 7)
        #expect([-1, 0, 2, 8].map { scale.part(of: $0) } == [0, 0, 0.25, 1])
    }

    @Test(
        "coordinates have one digit behind the point, and parts of the width two",
        arguments: [(0, "0", "0%"), (0.25, "0.3", "25%"), (0.0605, "0.1", "6.05%"), (1, "1", "100%")]
            as [(Double, String, String)])
    func coordinates(_ number: Double, _ short: String, _ width: String) {
        #expect(number.short == short)
        #expect(number.ofWidth == width)
    }

    @Test(
        "an axis shortens large numbers",
        arguments: [(9_999, "9,999"), (10_000, "10k"), (12_500, "12.5k"), (3_000_000, "3M")])
    func compact(_ number: Int, _ text: String) {
        #expect(NumberFormat(language: .english).compact(number) == text)
    }
}
