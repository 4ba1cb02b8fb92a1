import Testing

@testable import Pages

/// That no sentence is missing is the compiler's business. These tests hold each to what it must name, and find one
/// that was left in another language.
@Suite("What pages say")
struct PageTextsTests {
    /// Every string of a value, with the way to it.
    private func texts(
        of value: Any, at path: String = ""
    ) -> [(path: String, text: String, blanks: [Sentence.Blank])] {
        if let text = value as? String { return [(path, text, [])] }
        if let sentence = value as? Sentence { return [(path, sentence.html { _ in "" }.text, sentence.blanks)] }
        return Mirror(reflecting: value).children.flatMap { child in
            texts(of: child.value, at: path + "/" + (child.label ?? "?"))
        }
    }

    @Test("a name cannot end its isolation, nor turn what stands around it")
    func direction() {
        let sentence: Sentence = "From \(.sender)."
        let html = sentence.html(sender: "A\u{2069}\u{202E}B \u{200F}")
        #expect(html.text == "From <bdi><strong>AB \u{200F}</strong></bdi>.")
    }

    /// All that is said in a language.
    private func texts(in language: PageLanguage) -> [(path: String, text: String, blanks: [Sentence.Blank])] {
        texts(of: language.texts)
    }

    private static let others = PageLanguage.allCases.filter { $0 != .english }

    @Test("names in each language what it names in English", arguments: others)
    func blanks(_ language: PageLanguage) {
        let (here, english) = (texts(in: language), texts(in: .english))
        #expect(here.map(\.path) == english.map(\.path))
        #expect(here.count == 48 + 24 + 8)
        for (text, other) in zip(here, english) {
            #expect(Set(text.blanks) == Set(other.blanks), "\(language.tag) \(text.path)")
        }
    }

    @Test("is translated: no sentence is that of another language")
    func translated() {
        // Words that languages share.
        let shared: Set<String> = ["Links", "Messages", "Idioma", "Sprog", "Meddelanden"]
        var owners: [String: PageLanguage] = [:]
        for language in PageLanguage.allCases {
            for (path, text, _) in texts(in: language) where !shared.contains(text) {
                #expect(owners[text] == nil || owners[text] == language, "\(language.tag) \(path)")
                owners[text] = language
            }
        }
    }

    @Test(
        "is short: no sentence has more than 30 words, no button more than 40 characters",
        arguments: PageLanguage.allCases)
    func short(_ language: PageLanguage) {
        for (path, text, _) in texts(in: language) {
            #expect(!text.isEmpty && text == text.trimmed, "\(language.tag) \(path)")
            for sentence in text.split(whereSeparator: ".?!:".contains) {
                #expect(sentence.split(separator: " ").count <= 30, "\(language.tag) \(path)")
            }
            let name = path.split(separator: "/").last ?? ""
            if name.hasPrefix("turn") || name.hasPrefix("keep") {
                #expect(text.count <= 40 && !text.hasSuffix("."), "\(language.tag) \(path)")
            } else if name == "title" || name.hasPrefix("is") || name.hasSuffix("Heading") {
                #expect(!text.hasSuffix("."), "\(language.tag) \(path)")
            }
        }
    }

    @Test("says on and off, and turns off and keeps off, in different words", arguments: PageLanguage.allCases)
    func different(_ language: PageLanguage) {
        let texts = language.texts.withdrawal
        #expect(Set([texts.isOn, texts.isPartlyOn, texts.isOff]).count == 3)
        let activities = [texts.everything, texts.clicks, texts.opens]
        let buttons = activities.flatMap { [$0.turnOff, $0.keepOff] } + [texts.turnAllOff, texts.keepAllOff]
        #expect(Set(buttons).count == 8)
        #expect(Set(activities.flatMap { [$0.recorded, $0.notRecorded] }).count == 6)
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
