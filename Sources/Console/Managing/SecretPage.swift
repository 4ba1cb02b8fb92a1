/// Shows a new key. It can never be shown again.
struct SecretPage {
    private struct View {
        let texts: SecretTexts
        let secret: String
        let back: String
    }

    let area: ConsoleArea
    let secret: String
    /// The page to continue with.
    let back: String

    func page(_ language: ConsoleLanguage) -> ConsolePage {
        let texts = SecretTexts.all[language]
        var page = ConsolePage(
            area: area, title: texts.title, lead: texts.lead,
            content: Templates.render("secret", View(texts: texts, secret: secret, back: back)))
        page.isOnce = true
        return page
    }
}

/// The texts of the page that shows a new key.
struct SecretTexts: Sendable {
    let title: String
    let lead: String
    let key: String
    let copy: String
    let copied: String
    let back: String

    static let all = Wording(
        english: SecretTexts(
            title: "The new key", lead: "It is shown once, here. Copy it now: it cannot be shown again.", key: "Key",
            copy: "Copy", copied: "Copied", back: "I have copied it"),
        german: SecretTexts(
            title: "Der neue Schlüssel",
            lead: "Er wird einmal gezeigt, hier. Kopieren Sie ihn jetzt: Niemand kann ihn noch einmal zeigen.",
            key: "Schlüssel", copy: "Kopieren", copied: "Kopiert", back: "Ich habe ihn kopiert"))
}
