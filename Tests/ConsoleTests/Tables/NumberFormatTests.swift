import Testing

@testable import Console

@Suite struct NumberFormatTests {
    private let english = NumberFormat(language: .english)
    private let german = NumberFormat(language: .german)

    @Test(
        "a percentage has one digit behind the point, and a no-break space before its sign in German alone",
        arguments: [
            (0, "0.0%", "0,0\u{A0}%"), (0.123, "12.3%", "12,3\u{A0}%"), (0.0704, "7.0%", "7,0\u{A0}%"),
            (0.9996, "100.0%", "100,0\u{A0}%"), (1, "100.0%", "100,0\u{A0}%"), (12.5, "1,250.0%", "1.250,0\u{A0}%"),
        ] as [(Double, String, String)])
    func percent(_ share: Double, _ inEnglish: String, _ inGerman: String) {
        #expect(english.percent(share) == inEnglish)
        #expect(german.percent(share) == inGerman)
    }

    @Test("a share that is not known is a dash, and one of nothing is empty")
    func unknown() {
        #expect(english.percent(ifKnown: nil) == "–")
        #expect(english.percent(ifKnown: 0.5) == "50.0%")
        #expect(english.share(1, of: 0) == "")
        #expect(english.share(1, of: 3) == "33.3%")
    }

    @Test(
        "digits stand in groups of three",
        arguments: [
            (0, "0", "0"), (999, "999", "999"), (1_000, "1,000", "1.000"), (-1_234_567, "−1,234,567", "−1.234.567"),
            (Int.min, "−9,223,372,036,854,775,808", "−9.223.372.036.854.775.808"),
        ] as [(Int, String, String)])
    func integer(_ number: Int, _ inEnglish: String, _ inGerman: String) {
        #expect(english.integer(number) == inEnglish)
        #expect(german.integer(number) == inGerman)
    }

    @Test(
        "a number with one digit behind the point keeps its sign",
        arguments: [(0, "0.0"), (0.04, "0.0"), (0.05, "0.1"), (-0.3, "−0.3"), (1234.56, "1,234.6")]
            as [(Double, String)])
    func decimal(_ number: Double, _ text: String) { #expect(english.decimal(number) == text) }

    @Test(
        "words agree with the number beside them",
        arguments: [(0, "0 clicks are"), (1, "1 click is"), (2, "2 clicks are"), (1_001, "1,001 clicks are")])
    func amount(_ number: Int, _ text: String) {
        let amount = english.amount(number)
        #expect("\(amount.of("click", "clicks")) \(amount.form("is", "are"))" == text)
        #expect("\(amount)" == english.integer(number))
    }
}
