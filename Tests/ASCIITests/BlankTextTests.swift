import ASCII
import Testing

@Suite struct BlankTextTests {
    @Test(
        "a text of which nothing is seen is blank",
        arguments: [
            "", " ", "\u{2028}\t", "\u{200B}", "\u{202E}", "\u{2066} \u{2069}", "\u{FEFF}", "\u{AD}", "\u{3164}",
        ])
    func blank(_ text: String) { #expect(text.isBlank) }

    @Test(
        "a text of which anything is seen is not", arguments: ["a", " a ", "\u{202E}a", "👩‍👩‍👧", "\u{301}", "-", "ß", "0"])
    func seen(_ text: String) { #expect(!text.isBlank) }
}
