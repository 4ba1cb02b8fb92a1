import Identifiers
import Testing

@Suite struct OrganizationIDTests {
    @Test(
        "1 to 64 letters, digits, dots, underscores and hyphens are an organization",
        arguments: [
            "a", "Z", "0", "-", "_", "acme", "ACME-2.example_com", "3F2504E0-4F89-11D3-9A0C-0305E82C3301", ".a", "a..b",
            "...-", String(repeating: "a", count: 64),
        ]
    )
    func accepted(_ text: String) throws {
        #expect(try OrganizationID(text).description == text)
    }

    @Test(
        "what would not stand in a path as it is is refused",
        arguments: [
            "", String(repeating: "a", count: 65), " ", "a b", "a/b", "a\\b", "a%62", "a?b", "a#b", "a:b", "a@b", "a+b",
            "a~b", "ä", "a\u{301}", "a\u{0}", "a\n", "\u{FF41}", "{3F2504E0}",
            // HTTP clients resolve these away.
            ".", "..", "...", String(repeating: ".", count: 64),
        ]
    )
    func refused(_ text: String) {
        #expect(throws: IdentifierError.organizationID) { try OrganizationID(text) }
    }

    @Test("case tells organizations apart")
    func equality() throws {
        #expect(try OrganizationID("acme") != OrganizationID("Acme"))
        #expect(try OrganizationID("acme") == OrganizationID("acme"))
    }
}
