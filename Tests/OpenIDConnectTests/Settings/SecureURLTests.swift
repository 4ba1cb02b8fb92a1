import Testing

@testable import OpenIDConnect

@Suite struct SecureURLTests {
    @Test(
        "https anywhere and http at this machine are taken",
        arguments: [
            "https://a.example", "https://a.example/", "https://a.example:8443/b?c=d", "https://[2001:db8::1]/",
            "http://localhost:9400", "http://127.0.0.1:1", "http://127.9.9.9/a", "http://[::1]:9400/a",
            "https://a.example?b", "https://127.0.0.1/",
        ])
    func taken(_ text: String) {
        #expect(SecureURL(text)?.description == text)
    }

    @Test(
        "everything else is refused",
        arguments: [
            "", "https", "https:", "https://", "https:///a", "HTTPS://a.example", "https://A.example",
            "ftp://a.example",
            "http://a.example", "http://127.example.com", "http://127.0.0.1.example.com", "http://127.0.0.256",
            "http://127.0.0", "http://127.1", "http://0.0.0.0", "http://localhost.example", "http://[::2]",
            "http://[::1",
            "https://a@b.example", "https://a:b@c.example", "http://127.0.0.1@a.example", "https://a.example#b",
            "https://a.example/\\b", "https://a.example/ b", "https://a.example/\n", "https://ä.example", "//a.example",
            "https://a.example:", "https://a.example:0", "https://a.example:65536", "https://a.example:8a",
            "https://a.example:+80", "https://[::1]x", "https://[a.example]", "https://a_b.example",
            "javascript:alert(1)", "https:/\\a.example", "https://a.example/\u{0}", "https://a%2Eexample/",
            "https://" + String(repeating: "a", count: 254), "https://a.example/" + String(repeating: "a", count: 2048),
        ])
    func refused(_ text: String) {
        #expect(SecureURL(text) == nil)
    }
}
