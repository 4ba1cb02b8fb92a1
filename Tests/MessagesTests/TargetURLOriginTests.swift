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
