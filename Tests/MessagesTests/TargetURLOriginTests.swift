import Messages
import Testing

@Suite struct TargetURLOriginTests {
    @Test(
        "an origin is scheme, host and perhaps a port, and is kept as given",
        arguments: [
            ("https://links.example", "https", "links.example", 443),
            ("http://links.example", "http", "links.example", 80),
            ("http://127.0.0.1:8080", "http", "127.0.0.1", 8080),
            ("HTTPS://Links.Example.:8443", "https", "links.example", 8443),
            ("http://[::1]:8080", "http", "[::1]", 8080),
            ("http://localhost:65535", "http", "localhost", 65_535),
        ] as [(String, String, String, UInt16)]
    )
    func accepted(_ text: String, _ scheme: String, _ host: String, _ port: UInt16) throws {
        let origin = try PublicOrigin(text)
        #expect(origin.text == text)
        #expect("\(origin)" == text)
        #expect(origin.scheme == scheme)
        #expect(origin.host.text == host)
        #expect(origin.port == port)
    }

    @Test(
        "an origin has one spelling that browsers send",
        arguments: [
            ("https://links.example", "https://links.example"), ("HTTPS://Links.Example.", "https://links.example"),
            ("https://links.example:443", "https://links.example"),
            ("https://links.example:0443", "https://links.example"),
            ("https://links.example:8443", "https://links.example:8443"),
            ("https://links.example:80", "https://links.example:80"),
            ("http://links.example:80", "http://links.example"),
            ("https://[2001:DB8:0::1]:443", "https://[2001:db8::1]"), ("http://[::1]:8080", "http://[::1]:8080"),
        ])
    func serialized(_ text: String, _ spelling: String) throws {
        let origin = try PublicOrigin(text)
        #expect(origin.serialized.text == spelling)
        #expect(origin.serialized.host == origin.host && origin.serialized.port == origin.port)
        #expect(try PublicOrigin(spelling).serialized == PublicOrigin(spelling))
    }

    @Test(
        "whatever has more, less or something else is refused",
        arguments: [
            "", " ", "links.example", "//links.example", "https:", "https://", "https:links.example",
            "https:///links.example",
            "https://links.example/", "https://links.example/r", "https://links.example?", "https://links.example#",
            "https://links.example:", "https://links.example:0", "https://links.example:65536",
            "https://links.example:x",
            "https://a@links.example", "https://@links.example", "ftp://links.example", "myapp://links.example",
            "myapp:",
            "https://links..example", "https://links%2eexample", "https://127.1", "https://[::1", "https://*.example",
            "https://links.example ", "https://links.example\n", "https://bücher.example", "javascript://links.example",
        ]
    )
    func refused(_ text: String) {
        #expect(throws: TargetURLError.notAnOrigin) { try PublicOrigin(text) }
    }
}
