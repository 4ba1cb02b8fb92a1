import Messages
import Testing

@Suite struct TargetURLTests {
    static let shopOnly: [TargetHostPattern] = patterns("shop.example", "*.shop.example", "192.0.2.1", "[2001:db8::1]")

    static func patterns(_ texts: String...) -> [TargetHostPattern] {
        texts.compactMap { try? TargetHostPattern($0) }
    }

    static func target(_ text: String, hosts: [TargetHostPattern] = []) throws -> TargetURL {
        try TargetURL(text, rules: TargetRules(ownOrigin: PublicOrigin("https://links.example"), allowedHosts: hosts))
    }

    @Test("a web target is kept byte for byte and its host is known", arguments: web)
    func webTarget(_ text: String, _ host: String) throws {
        let target = try Self.target(text)
        #expect(target.text.utf8.elementsEqual(text.utf8))
        #expect(target.kind == .web)
        #expect(target.host?.text == host)
        #expect(try TargetURL(stored: text) == target)
    }

    @Test("another scheme is an app's, is kept byte for byte, and any host may stand in it", arguments: app)
    func appTarget(_ text: String) throws {
        let target = try Self.target(text, hosts: Self.shopOnly)
        #expect(target.text.utf8.elementsEqual(text.utf8))
        #expect(target.kind == .app)
        #expect(target.host == nil)
        #expect(try TargetURL(stored: text) == target)
    }

    @Test("2,048 bytes are accepted, one more is not, and none is not")
    func length() throws {
        let longest = "https://shop.example/".padded(to: 2048)
        #expect(try Self.target(longest).text == longest)
        #expect(throws: TargetURLError.tooLong) { try Self.target(longest + "a") }
        #expect(throws: TargetURLError.empty) { try Self.target("") }
        #expect(try Self.target("myapp:".padded(to: 2048)).kind == .app)
        #expect(throws: TargetURLError.tooLong) { try Self.target("myapp:".padded(to: 2049)) }
    }

    @Test("a stored target is read whatever the rules are by now, but not when it was damaged")
    func stored() throws {
        #expect(try TargetURL(stored: "https://links.example/r/x").kind == .web)
        #expect(try TargetURL(stored: "https://other.example/").host?.text == "other.example")
        #expect(throws: TargetURLError.controlCharacter) { try TargetURL(stored: "https://shop.example/\r\nX: y") }
        #expect(throws: TargetURLError.refusedScheme) { try TargetURL(stored: "javascript:alert(1)") }
        #expect(throws: TargetURLError.credentials) { try TargetURL(stored: "https://a@shop.example/") }
    }

    @Test("a target's description does not tell where it leads")
    func description() throws {
        #expect("\(try Self.target("https://shop.example/ana"))" == "(target)")
    }

    @Test("an error says what is allowed and repeats nothing", arguments: TargetURLError.allCases)
    func errorDescription(_ error: TargetURLError) {
        #expect(error.description.hasPrefix("must ") || error == .forbiddenCharacter)
    }

    static let web: [(String, String)] = [
        ("https://shop.example", "shop.example"),
        ("http://shop.example/", "shop.example"),
        ("HTTPS://SHOP.Example/Path", "shop.example"),
        ("hTtP://shop.example:8080/a/b;c=d/../e?f=g&h=i#j", "shop.example"),
        ("https://shop.example?q", "shop.example"),
        ("https://shop.example#f", "shop.example"),
        ("https://shop.example?", "shop.example"),
        ("https://shop.example/?#", "shop.example"),
        ("https://shop.example./", "shop.example"),
        ("https://shop.example:/", "shop.example"),
        ("https://shop.example:0/", "shop.example"),
        ("https://shop.example:65535/", "shop.example"),
        ("https://shop.example:00443/", "shop.example"),
        ("https://a.b.c.d.e/", "a.b.c.d.e"),
        ("https://localhost/", "localhost"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example"),
        ("https://r3---sn-x_y.example/", "r3---sn-x_y.example"),
        ("https://192.0.2.1/", "192.0.2.1"),
        ("https://192.0.2.1./", "192.0.2.1"),
        ("https://0.0.0.0/", "0.0.0.0"),
        ("https://1.2.3.4.example/", "1.2.3.4.example"),
        ("https://0x.example/", "0x.example"),
        ("https://7.example/", "7.example"),
        ("https://[::1]/", "[::1]"),
        ("https://[2001:DB8:0:0:0:0:0:1]:8443/", "[2001:db8::1]"),
        ("https://[::ffff:192.0.2.1]/", "[::ffff:c000:201]"),
        ("https://shop.example/%41%e9%E9%00%0d%0A", "shop.example"),
        ("https://shop.example/a//b/./c/%2e%2e/", "shop.example"),
        ("https://shop.example/@user:pass@other", "shop.example"),
        ("https://shop.example/!$&'()*+,;=:@-._~", "shop.example"),
        ("https://shop.example/?!$&'()*+,;=:@-._~/?", "shop.example"),
        ("https://shop.example/#!$&'()*+,;=:@-._~/?", "shop.example"),
        ("https://shop.example/?filter[size]=m&a[]=1", "shop.example"),
        ("https://shop.example/#/list?a[]=1", "shop.example"),
        ("https://shop.example?u=https://other.example/@x", "shop.example"),
        ("https://shop.example/?@other.example", "shop.example"),
        ("https://shop.example#@other.example", "shop.example"),
        ("https://shop.example/;@other.example", "shop.example"),
    ]

    static let app: [String] = [
        "myapp://", "myapp:///", "myapp://product/42?ref=a#b", "my-app+v2.0://x", "MyApp:X", "m:x",
        "mailto:ana@example.com?subject=Hi%20there", "tel:+4312345", "sms:+4312345;body=x", "market://details?id=a.b",
        "fb123://user:pass@host:99999/", "ftp://[::1]/x", "x://a@[::1]:y",
        "myapp:?a[]=1", "myapp:a:b:c", "ws://%41/", "javascript2:x", "dat:x", "filex:y", "httpss://x@y/", "http2:x",
        "myapp:javascript:x",
    ]
}

extension String {
    func padded(to length: Int) -> String { self + String(repeating: "a", count: length - utf8.count) }
}
