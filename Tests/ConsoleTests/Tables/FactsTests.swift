import Pages
import Testing

@testable import Console

@Suite struct FactsTests {
    @Test("a fact has its name, its value, and a note where there is one; none of them is markup")
    func html() {
        let facts = Facts(
            facts: [
                .init("<People>", "1,000", note: "of all & more"), .init("State", content: "<span>open</span>"),
            ], columns: .four)
        #expect(
            facts.html.text == """
                <dl class="facts four">
                <div><dt>&lt;People&gt;</dt><dd class="big">1,000</dd><dd class="note">of all &amp; more</dd></div>
                <div><dt>State</dt><dd><span>open</span></dd></div>
                </dl>
                """)
        #expect(Facts(facts: []).html.text.hasPrefix("<dl class=\"facts\">"))
    }
}
