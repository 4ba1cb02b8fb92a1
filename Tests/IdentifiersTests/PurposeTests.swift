import Identifiers
import Testing

@Suite struct PurposeTests {
    @Test(
        "1 to 64 lower-case letters, digits, dots and hyphens are a purpose",
        arguments: ["a", "0", ".", "-", "tracking", "mail.open-tracking.2", String(repeating: "a", count: 64)]
    )
    func accepted(_ text: String) throws {
        #expect(try Purpose(text).description == text)
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", String(repeating: "a", count: 65), "Tracking", "a_b", "a b", " a", "a/b", "é", "a\u{301}", "a\n",
            "a\u{0}",
            "\u{FF41}", "\u{130}",
        ]
    )
    func refused(_ text: String) {
        #expect(throws: IdentifierError.purpose) { try Purpose(text) }
    }

    @Test("the purpose that is meant where none is named is a purpose like any other")
    func tracking() throws {
        #expect(try Purpose.tracking == Purpose("tracking"))
        #expect(try Purpose.tracking != Purpose("tracking2"))
    }
}
