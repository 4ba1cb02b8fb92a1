import HTTPAPI
import HTTPTypes
import Logging

/// The page that is shown in place of one that is refused.
struct RefusalPage {
    let page: ConsolePage

    private struct View {
        let text: String
        let home: String
        let again: String
        let back: String?
    }

    /// - Parameter back: the path of the page to go on with, if there is one.
    init(error: any Error, back: String?, language: ConsoleLanguage, logger: Logger) {
        let texts = RefusalTexts.all[language]
        let refusal = error as? ConsoleRefusal
        let status = refusal?.status ?? AnsweredError.status(of: error, reportingTo: logger)
        let words = refusal.map(texts.words) ?? texts.words(for: status)
        var page = ConsolePage(
            area: nil, title: words.title,
            content: Templates.render(
                "refusal", View(text: words.text, home: texts.home, again: texts.again, back: back)))
        page.status = status
        self.page = page
    }
}
