import Identifiers
import Pages
import Testing

@testable import HTTPAPI

/// What the page says and offers in each state, where messages and links were asked for together and apart.
@Suite struct WithdrawalPageTests {
    private typealias State = WithdrawalPage.State

    private func page(
        _ states: [State], _ language: PageLanguage, purpose: Purpose = .tracking, mayHaveOtherPurposes: Bool = false
    ) -> String {
        let parts: [WithdrawalPage.Part] = states.count == 1 ? [.everything] : [.clicks, .opens]
        let entries = zip(parts, states).map { WithdrawalPage.Entry(part: $0, purpose: purpose, state: $1) }
        return WithdrawalPage(sender: "Acme", entries: entries, mayHaveOtherPurposes: mayHaveOtherPurposes)
            .page(in: language).html
    }

    private func says(_ page: String, _ sentence: Sentence) -> Bool {
        page.contains("<p>\(sentence.html(sender: "Acme").text)</p>")
    }

    private func button(_ label: String, _ field: String? = nil) -> String {
        let name = field.map { " name=\"\($0)\" value=\"off\"" } ?? ""
        return "<button\(name)>\(label.escapedForHTML.text)</button>"
    }

    @Test("one purpose: what is recorded, one button as long as there is no no", arguments: PageLanguage.allCases)
    func everything(_ language: PageLanguage) throws {
        let texts = language.texts.withdrawal
        let (on, silent, ended) = (page([.on], language), page([.silent], language), page([.ended], language))
        #expect(on.contains("<h1>\(texts.isOn)</h1>"))
        #expect(says(on, texts.everything.recorded) && says(on, texts.choice))
        #expect(on.contains(button(texts.everything.turnOff)))
        for off in [silent, ended] {
            #expect(off.contains("<h1>\(texts.isOff)</h1>"))
            #expect(says(off, texts.everything.notRecorded) && !says(off, texts.everything.recorded))
        }
        #expect(silent.contains(button(texts.everything.keepOff)) && says(silent, texts.undecided))
        #expect(says(ended, texts.staysOff) && !ended.contains("<button"))
        #expect([on, silent].allSatisfy { $0.ranges(of: "<button").count == 1 })
        #expect(!on.contains("tracking</em>"))
        #expect(page([.on], language, purpose: try Purpose("offers")).contains("<em>offers</em>"))
    }

    @Test("where there may be other purposes, the page names its own in every state")
    func others() {
        for state in State.allCases {
            let whole = page([state], .english, mayHaveOtherPurposes: true)
            #expect(whole.contains("about the purpose <bdi><em>tracking</em></bdi>"))
            let apart = page([state, state], .english, mayHaveOtherPurposes: true)
            #expect(apart.ranges(of: "about the purpose").count == 2)
        }
    }

    @Test(
        "two purposes: each state has its own text and button, and one button is for both",
        arguments: PageLanguage.allCases)
    func parts(_ language: PageLanguage) {
        let texts = language.texts.withdrawal
        for clicks in State.allCases {
            for opens in State.allCases {
                let page = page([clicks, opens], language)
                let onCount = [clicks, opens].count { $0 == .on }
                let title = [texts.isOff, texts.isPartlyOn, texts.isOn][onCount]
                #expect(page.contains("<h1>\(title)</h1>"))
                for (state, activity, field) in [(clicks, texts.clicks, "clicks"), (opens, texts.opens, "opens")] {
                    #expect(says(page, activity.recorded) == (state == .on))
                    #expect(says(page, activity.notRecorded) == (state != .on))
                    #expect(page.contains(button(activity.turnOff, field)) == (state == .on))
                    #expect(page.contains(button(activity.keepOff, field)) == (state == .silent))
                }
                let isOpen = clicks != .ended && opens != .ended
                #expect(page.contains(button(texts.turnAllOff)) == (isOpen && onCount > 0))
                #expect(page.contains(button(texts.keepAllOff)) == (isOpen && onCount == 0))
                let openCount = [clicks, opens].count { $0 != .ended }
                #expect(page.ranges(of: "<button").count == openCount + (isOpen ? 1 : 0))
                #expect(page.ranges(of: "<h2>").count == 2)
            }
        }
    }

    @Test("a person of whom nothing is known any more has nothing to press", arguments: PageLanguage.allCases)
    func nobody(_ language: PageLanguage) {
        let page = page([], language)
        #expect(page.contains("<h1>\(language.texts.withdrawal.isOff)</h1>"))
        #expect(says(page, language.texts.withdrawal.unknownPerson))
        #expect(!page.contains("<button"))
    }

    @Test(
        "a form names parts; everything else is about all of it",
        arguments: [
            ("clicks=off", [WithdrawalPage.Part.clicks]), ("opens=off", [.opens]),
            ("clicks=off&opens=off", [.clicks, .opens]),
            ("clicks", [.clicks]), ("clicks=&clicks=on", [.clicks]), ("", nil), ("List-Unsubscribe=One-Click", nil),
            ("clicks=off&List-Unsubscribe=One-Click", nil), ("Clicks=off", nil), ("cl%69cks=off", nil), ("&", nil),
            ("clicks=off&x=1", nil), ("=off", nil), ("{\"clicks\":1}", nil),
        ] as [(String, [WithdrawalPage.Part]?)])
    func form(_ body: String, _ parts: [WithdrawalPage.Part]?) {
        #expect(WithdrawalForm.parts(named: Array(body.utf8)) == parts.map(Set.init))
    }

    @Test("a body that is no text is about all of it")
    func noText() { #expect(WithdrawalForm.parts(named: Array("clicks=".utf8) + [0xFF]) == nil) }
}
