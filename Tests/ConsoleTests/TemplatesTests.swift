import Pages
import Testing

@testable import Console

@Suite struct TemplatesTests {
    /// A letter may join with what follows, and a mark with what it stands on: then each is a part of one character.
    @Test(
        "what is put into a page is no markup",
        arguments: [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")])
    func escaped(_ character: String, _ entity: String) {
        for (before, after) in [("", ""), ("\u{0D4E}", ""), ("", "\u{0301}"), ("\u{0600}", "\u{0301}")] {
            let page = Templates.render("refusal", ["text": before + character + after, "home": "home"])
            #expect(page.utf8.starts(with: "<p>\(before)\(entity)\(after)</p>".utf8), "\(page)")
        }
    }

    @Test(
        "a character that is not seen is named in a page, where it could make a text look like another",
        arguments: (Array(0x202A...0x202E) + Array(0x2066...0x2069) + [
            0xAD, 0x61C, 0x115F, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0x3164, 0xFEFF,
            0x34F, 0x17B4, 0xFE00, 0xFE0F, 0xE0061, 0xE0100,
        ]).compactMap { Unicode.Scalar($0 as UInt32) })
    func unseen(_ control: Unicode.Scalar) {
        let text = "a\(control)moc\u{5D0}"
        let shown = "a⟨U+\(String(control.value, radix: 16, uppercase: true))⟩moc\u{5D0}"
        #expect(Templates.render("refusal", ["text": text, "home": "home"]).hasPrefix("<p>\(shown)</p>"))
        for cell in [ConsoleTable.Cell.text(text), .code(text), .link(text, path: "/x")] {
            let html = cell.html(NumberFormat(language: .english)).text
            #expect(html.contains(shown) && !html.unicodeScalars.contains(control))
            #expect(cell.text == text, "a file has the text as it is stored")
        }
    }

    @Test(
        "what words and emoji need to be written stays as it is",
        arguments: [
            "نامه‌ای", "क्‍ष", "👩‍👩‍👧", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "e\u{301}", "a\u{A0}b", "\u{600}1", "한",
            "1\u{FE0F}\u{20E3}", "❤️‍🔥", "\u{845B}\u{E0100}", "\u{845B}\u{FE00}", "\u{1820}\u{180B}",
        ])
    func words(_ text: String) { #expect(text.withUnseenCharactersNamed == text) }

    @Test(
        "what chooses the form of a character is named where it chooses none",
        arguments: ["é\u{FE0F}", "\u{FE0F}é", "é\u{E0061}", "❤\u{E0061}", "🏴\u{E0061}a\u{E0061}", "❤\u{E0100}"])
    func forms(_ text: String) { #expect(text.withUnseenCharactersNamed.contains("⟨U+")) }

    @Test(
        "a joiner is named where nothing needs it",
        arguments: ["a\u{200D}", "\u{200C}é", "é\u{200D}a", "é\u{200B}\u{200D}é"])
    func joiners(_ text: String) {
        #expect(!text.withUnseenCharactersNamed.unicodeScalars.contains { "\u{200B}"..."\u{200D}" ~= $0 })
    }
}
