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
}
