import HTTPTypes
import Testing

@testable import Console

@Suite struct ConsoleOriginTests {
    @Test(
        "loopback and the host that is set, and no other",
        arguments: [
            ("127.0.0.1:8082", "http://127.0.0.1:8082"), ("localhost", "http://localhost"),
            ("[::1]:8082", "http://[::1]:8082"), ("console.example.com", "https://console.example.com"),
            ("Console.Example.com", "https://console.example.com"), ("127.0.0.1.evil.example", nil),
            ("evil.example", nil), ("localhost:80:90", nil), ("localhost:x", nil), ("[::1", nil), ("[::1]x", nil),
            ("", nil),
            ("10.0.0.1:8082", nil), ("console.example.com:8443", nil), ("console.example.com.evil.example", nil),
        ] as [(String, String?)])
    func hosts(authority: String, origin: String?) {
        let console = ConsoleOrigin(published: "https://console.example.com")
        #expect(console.origin(of: authority) == origin)
        #expect(console.origin(of: nil) == nil)
    }

    @Test(
        "a form comes from the console itself",
        arguments: [
            (["Sec-Fetch-Site": "same-origin"], true), (["Sec-Fetch-Site": "same-origin", "Origin": "http://a"], true),
            (["Origin": "http://a"], true), ([:], false), (["Origin": "http://b"], false), (["Origin": "null"], false),
            (["Sec-Fetch-Site": "same-site"], false), (["Sec-Fetch-Site": "cross-site", "Origin": "http://a"], false),
            (["Sec-Fetch-Site": "none"], false), (["Sec-Fetch-Site": "same-origin", "Origin": "http://b"], false),
        ] as [([String: String], Bool)])
    func sites(headers: [String: String], isOwn: Bool) {
        var fields = HTTPFields()
        for (name, value) in headers { if let name = HTTPField.Name(name) { fields[name] = value } }
        #expect(CrossSiteVerdict.isOwn(fields, origin: "http://a") == isOwn)
    }
}
