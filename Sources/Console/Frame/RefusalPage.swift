import HTTPAPI
import HTTPTypes
import Logging

/// The page that is shown in place of one that is refused.
struct RefusalPage {
    let page: ConsolePage

    private struct View {
        let text: String
        let home: String
    }

    init(error: any Error, language: ConsoleLanguage, logger: Logger) {
        let texts = RefusalTexts.all[language]
        let refusal = error as? ConsoleRefusal
        let status = refusal?.status ?? AnsweredError.status(of: error, reportingTo: logger)
        let words = refusal.map(texts.words) ?? texts.words(for: status)
        var page = ConsolePage(
            area: nil, title: words.title,
            content: Templates.render("refusal", View(text: words.text, home: texts.home)))
        page.status = status
        self.page = page
    }
}
