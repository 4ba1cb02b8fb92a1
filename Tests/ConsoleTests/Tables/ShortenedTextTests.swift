import Testing

@testable import Console

@Suite struct ShortenedTextTests {
    @Test(
        "a long text is cut, with an ellipsis; one that fits stays",
        arguments: [
            ("", ""), ("abc", "abc"), ("abcd", "abc…"), ("äöü", "äöü"), ("ä\u{308}ö\u{308}", "ä\u{308}ö…"),
        ])
    func shortened(_ text: String, _ expected: String) {
        #expect(Array(text.shortened(to: 3).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test("a page has at most so many bytes of a text, whatever its letters are joined of")
    func bytes() {
        let text = "a" + String(repeating: "\u{1F468}\u{200D}", count: 1_000)
        #expect(text.shortened().utf8.count <= 120 * 4 + 3)
    }
}
