import Testing

@testable import ConsentLinkClient

@Suite struct ServiceAddressTests {
    @Test(
        "an address is a scheme, a host and a port that is one",
        arguments: [
            ("http://127.0.0.1:8081", "http://127.0.0.1:8081"), ("https://consentlink.internal", nil),
            ("http://127.0.0.1:8081/", "http://127.0.0.1:8081"), ("http://h:1", nil), ("http://h:65535", nil),
            ("http://[::1]:8081", nil), ("https://h/behind/a/path", nil),
        ])
    func taken(_ url: String, _ text: String?) throws {
        #expect(ServiceAddress(url)?.text == text ?? url)
        _ = try ConsentLinkAPI(url, key: "clk_x")
    }

    @Test(
        "anything else is refused before something is sent",
        arguments: [
            "", "nowhere", "ftp://h", "http://", "//h:1", "http://:80", "http://u@h", "http://h?q", "http://h#f",
            "http://h:0", "http://h:65536", "http://h:99999", "http://127.0.0.1:99999999999999999999", "http://h:-1",
            "http://h:x", "http://[::1]:0",
        ])
    func refused(_ url: String) {
        #expect(ServiceAddress(url) == nil)
        #expect(throws: ConsentLinkError.self) { _ = try ConsentLinkAPI(url, key: "clk_x") }
    }
}
