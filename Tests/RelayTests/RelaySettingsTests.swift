import Testing

@testable import Relay

@Suite struct RelaySettingsTests {
    @Test(
        "an allowed host is what the URL of an endpoint can name",
        arguments: [
            ("crm.example", "crm.example"), ("CRM.Example", "crm.example"), ("10.0.0.1", "10.0.0.1"),
            ("[::1]", "[::1]"), ("localhost", "localhost"), ("http://crm.example", nil), ("crm.example:80", nil),
            ("*.example", nil), ("crm.example/x", nil), ("", nil), ("a b", nil), ("::1", nil),
        ] as [(String, String?)])
    func hosts(_ text: String, _ host: String?) { #expect(RelaySettings.host(text) == host) }

    @Test("a line has an organization and a key; blank lines are passed over")
    func keys() {
        let keys = RelaySettings.keys(in: "acme clk_1\r\n\n  globex\tclk_2  \n")
        #expect(keys?.map(\.organization) == ["acme", "globex"])
        #expect(keys?.map(\.key) == ["clk_1", "clk_2"])
    }

    @Test(
        "anything else is no file of keys",
        arguments: ["", "\n", "acme", "acme key", "acme clk_1 more", "Acme! clk_1", "\u{FEFF}acme clk_1"])
    func noKeys(_ text: String) { #expect(RelaySettings.keys(in: text) == nil) }
}
