import Logging
import Testing

@testable import Console

@Suite struct RefusalPageTests {
    private static let firsts: [ConsoleRoute.FirstSending] = [.shown, .newKey, .newOrganization, .signIn]

    private func page(_ error: any Error, back: String? = nil) -> String {
        RefusalPage(error: error, back: back, language: .english, logger: Logger(label: "test")).page.content
    }

    @Test("a form that comes twice says what may have happened, and how to go on", arguments: ConsoleLanguage.allCases)
    func sentBefore(_ language: ConsoleLanguage) {
        let words = Self.firsts.map { RefusalTexts.all[language].words(for: .sentBefore($0)) }
        #expect(Set(words.map(\.title)).count == 1)
        #expect(Set(words.map(\.text)).count == Self.firsts.count)
        #expect(page(ConsoleRefusal.sentBefore(.newKey)).contains("A key may have been made"))
        #expect(page(ConsoleRefusal.sentBefore(.shown)).contains("It may have taken effect"))
    }

    @Test("the page leads back to the form where it says so")
    func back() {
        #expect(page(ConsoleRefusal.busy, back: "/orgs/acme/person").contains("<a href=\"/orgs/acme/person\">"))
        #expect(!page(ConsoleRefusal.busy).contains("Open the page again"))
        let leading: [ConsoleRefusal] = [.expiredForm, .sentBefore(.newKey), .caseClosed, .unavailable, .busy]
        #expect(leading.allSatisfy { $0.leadsBack })
        #expect(!ConsoleRefusal.sentBefore(.signIn).leadsBack && !ConsoleRefusal.notAllowed.leadsBack)
    }

    @Test("only what came before the act lets the same form be sent again")
    func beforeAct() {
        #expect(ConsoleRefusal.busy.isBeforeAct && ConsoleRefusal.unavailable.isBeforeAct)
        #expect(!ConsoleRefusal.sentBefore(.shown).isBeforeAct && !ConsoleRefusal.notFound.isBeforeAct)
    }

    @Test(
        "the words agree with the time to wait",
        arguments: [(Int64(1), "1 second."), (2, "2 seconds."), (60, "60 seconds.")])
    func wait(_ seconds: Int64, _ end: String) {
        #expect(RefusalTexts.all[.english].words(for: .mustWait(seconds: seconds)).text.hasSuffix(end))
        let german = RefusalTexts.all[.german].words(for: .mustWait(seconds: seconds)).text
        #expect(german.contains(seconds == 1 ? "in 1 Sekunde möglich" : "in \(seconds) Sekunden möglich"))
    }
}
