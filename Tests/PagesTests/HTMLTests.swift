import Testing

@testable import Pages

@Suite("HTML of a page")
struct HTMLTests {
    @Test(
        "what stands in HTML is text",
        arguments: [
            ("<script>", "&lt;script&gt;"), ("a & b", "a &amp; b"), ("\"'", "&quot;&#39;"), ("&amp;", "&amp;amp;"),
            ("Söhne\u{301} 👩‍👩‍👧", "Söhne\u{301} 👩‍👩‍👧"), ("", ""),
        ]
    )
    func escaping(_ text: String, _ escaped: String) {
        #expect(Array(text.escapedForHTML.text.utf8) == Array(escaped.utf8))
        let inside: HTML = "<p>\(text)</p>"
        #expect(Array(inside.text.utf8) == Array("<p>\(escaped)</p>".utf8))
    }

    @Test("HTML in HTML stays what it is, once escaped and not twice")
    func nested() {
        let name: HTML = "<b>\("a < b")</b>"
        let paragraph: HTML = "<p>\(name)</p>"
        #expect(paragraph.text == "<p><b>a &lt; b</b></p>")
        #expect(HTML(lines: [name, paragraph]).text == "<b>a &lt; b</b>\n<p><b>a &lt; b</b></p>")
    }

    @Test("a sentence is filled where it has blanks; what fills them is isolated and no markup")
    func sentence() {
        let sentence: Sentence = "<\(.sender)> & \(.purpose): \(.site)."
        #expect(sentence.blanks == [.sender, .purpose, .site])
        let html = sentence.html { blank in blank == .sender ? "<i>\u{202E}" : "x" }
        #expect(
            html.text == """
                &lt;<bdi><strong>&lt;i&gt;</strong></bdi>&gt; &amp; <bdi><em>x</em></bdi>: <bdi><em>x</em></bdi>.
                """)
    }
}
