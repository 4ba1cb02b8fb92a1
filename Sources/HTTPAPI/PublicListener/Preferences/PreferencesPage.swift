import Organizations
import Pages

/// The common page of all recipients whom an organization does not track: it says that nothing is recorded about them,
/// and how they can give consent. It is the same for all of them and identifies none.
struct PreferencesPage {
    /// The organization's name.
    let sender: String
    let consentPage: ConsentPageURL?

    func page(in language: PageLanguage) -> WebPage {
        let texts = language.texts.preferences
        return WebPage(
            in: language, title: texts.title,
            content: HTML(lines: [
                paragraph(texts.notRecorded),
                paragraph(texts.sameForAll),
                "<h2>\(texts.agreeing)</h2>",
                paragraph(texts.voluntary),
                way(texts),
                paragraph(texts.changingYourMind),
            ]))
    }

    /// How to give consent.
    private func way(_ texts: PreferencesTexts) -> HTML {
        guard let consentPage else { return paragraph(texts.askSender) }
        let label = texts.agreeAt.html { $0 == .site ? consentPage.host : sender }
        return "<p><a href=\"\(consentPage.text)\">\(label)</a></p>"
    }

    private func paragraph(_ sentence: Sentence) -> HTML { "<p>\(sentence.html(sender: sender))</p>" }
}
