import ASCII
import Testing

@Suite struct ComparedByBytesTests {
    private struct Named: Hashable {
        @ComparedByBytes var name: String
    }

    @Test(
        "texts with different bytes differ, whatever Swift's String says",
        arguments: [
            ("\u{E9}", "e\u{301}"), ("\u{212A}", "K"), ("\u{212B}", "\u{C5}"), ("a", "b"), ("a", "ab"), ("", "a"),
        ])
    func different(_ one: String, _ other: String) {
        #expect(!one.hasSameBytes(as: other))
        #expect(ComparedByBytes(one) != ComparedByBytes(other))
        #expect(Set([Named(name: one), Named(name: other), Named(name: one)]).count == 2)
        #expect([ComparedByBytes(one): 1][ComparedByBytes(other)] == nil)
    }

    @Test(
        "texts with the same bytes are equal, and keep them", arguments: ["", "a", "e\u{301}", "\u{E9}", "long ".long])
    func same(_ text: String) {
        let copy = String(decoding: Array(text.utf8), as: UTF8.self)
        #expect(text.hasSameBytes(as: copy))
        #expect(Set([Named(name: text), Named(name: copy)]).count == 1)
        #expect(Array(Named(name: text).name.utf8) == Array(text.utf8))
    }
}

extension String {
    /// Does not fit into the value itself.
    fileprivate var long: String { String(repeating: self, count: 10) }
}
