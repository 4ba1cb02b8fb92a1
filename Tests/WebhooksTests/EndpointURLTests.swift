import Testing

@testable import Webhooks

@Suite struct EndpointURLTests {
    @Test(
        "a URL is cut where every program cuts it",
        arguments: [
            ("https://crm.example", "crm.example", 443, "/", "crm.example"),
            ("https://crm.example/", "crm.example", 443, "/", "crm.example"),
            ("https://crm.example:8443/a/b?c=d", "crm.example", 8443, "/a/b?c=d", "crm.example:8443"),
            ("http://crm.example?x=1", "crm.example", 80, "/?x=1", "crm.example"),
            ("http://192.0.2.7:81/x", "192.0.2.7", 81, "/x", "192.0.2.7:81"),
            ("https://[2001:db8::1]/x", "[2001:db8::1]", 443, "/x", "[2001:db8::1]"),
            ("https://[2001:db8::1]:444/x", "[2001:db8::1]", 444, "/x", "[2001:db8::1]:444"),
        ])
    func parts(_ text: String, _ host: String, _ port: Int, _ path: String, _ authority: String) throws {
        let url = try EndpointURL(text)
        #expect((url.hostName, url.port, url.pathAndQuery, url.authority) == (host, port, path, authority))
        #expect(url.isSecure == text.hasPrefix("https") && url.text == text && "\(url)" == "(endpoint)")
    }

    @Test(
        "what two programs could read in two ways is refused, and so is what is no place for events",
        arguments: [
            "", "crm.example", "//crm.example", "ftp://crm.example/", "https:/crm.example", "HTTPS://crm.example/",
            "https://CRM.example/", "https://crm.example./", "https://user@crm.example/", "https://u:p@crm.example/",
            "https://crm.example/#f", "https://crm.example/a b", "https://crm.example\\@evil.example/",
            "https://127.1/", "https://0x7f000001/", "https://2130706433/", "https://0177.0.0.1/",
            "https://crm%2eexample/",
            "https://[::ffff:127.0.0.1/", "https://[2001:DB8::1]/", "https://[2001:db8:0::1]/", "https:///x",
            "https://crm.example:99999/", "https://crm.example:-1/", "https://bücher.example/", "javascript:alert(1)",
            "https://crm.example/\u{7F}", "https://" + String(repeating: "a", count: 2048),
        ])
    func refused(_ text: String) {
        #expect(throws: EndpointURLError.self) { _ = try EndpointURL(text) }
    }
}
