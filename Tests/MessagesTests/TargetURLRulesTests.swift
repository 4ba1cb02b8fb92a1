import Messages
import Testing

@Suite struct TargetURLRulesTests {
    @Test(
        "only the hosts that were named are led to",
        arguments: [
            "https://shop.example/", "https://SHOP.EXAMPLE/", "https://shop.example./", "http://shop.example:81/",
            "https://www.shop.example/", "https://a.b.Shop.Example./", "https://192.0.2.1/", "https://192.0.2.1.:1/",
            "https://[2001:db8::1]/", "https://[2001:DB8:0:0::0:1]/",
        ]
    )
    func allowed(_ text: String) throws {
        #expect(try TargetURLTests.target(text, hosts: TargetURLTests.shopOnly).text == text)
    }

    @Test(
        "other hosts are not, however much they look like one",
        arguments: [
            "https://other.example/", "https://example/", "https://notshop.example/", "https://shop.example.other/",
            "https://shop.example.other.example/", "https://shop-example/", "https://xshop.example/",
            "https://www.shop.examples/", "https://192.0.2.2/", "https://1.192.0.2.1.example/",
            "https://[2001:db8::2]/",
            "https://[::ffff:192.0.2.1]/", "https://other.example/shop.example", "https://other.example?shop.example",
            "https://other.example#.shop.example", "https://xn--shop-.example/",
            "https://other.example:443/@shop.example",
        ]
    )
    func notAllowed(_ text: String) {
        #expect(throws: TargetURLError.hostNotAllowed) {
            try TargetURLTests.target(text, hosts: TargetURLTests.shopOnly)
        }
        #expect(throws: Never.self) { try TargetURLTests.target(text) }
    }

    @Test("a wildcard is for what lies below, not for the name itself")
    func wildcard() {
        let below = TargetURLTests.patterns("*.shop.example")
        #expect(throws: TargetURLError.hostNotAllowed) {
            try TargetURLTests.target("https://shop.example/", hosts: below)
        }
        #expect(throws: Never.self) { try TargetURLTests.target("https://a.shop.example/", hosts: below) }
        let itself = TargetURLTests.patterns("shop.example")
        #expect(throws: TargetURLError.hostNotAllowed) {
            try TargetURLTests.target("https://a.shop.example/", hosts: itself)
        }
    }

    @Test(
        "the service's own origin is refused however it is spelt",
        arguments: [
            ("https://links.example", "https://links.example"),
            ("https://links.example", "https://links.example/r/abc"),
            ("https://links.example", "https://links.example:443/"),
            ("https://links.example", "https://links.example:/"),
            ("https://links.example", "https://links.example:0443/"),
            ("https://links.example", "HTTPS://Links.EXAMPLE./"),
            ("https://links.example", "https://links.example?x"),
            ("HTTPS://LINKS.example.:443", "https://links.example/"),
            ("http://links.example", "http://links.example:80/"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/r/x"),
            ("http://127.0.0.1:8080", "http://127.0.0.1.:8080/r/x"),
            ("http://[::1]:8080", "http://[0:0:0:0:0:0:0:1]:8080/"),
        ]
    )
    func ownOrigin(_ own: String, _ text: String) throws {
        let rules = TargetRules(ownOrigin: try PublicOrigin(own))
        #expect(throws: TargetURLError.ownOrigin) { try TargetURL(text, rules: rules) }
        let named = TargetRules(
            ownOrigin: try PublicOrigin(own),
            allowedHosts: TargetURLTests.patterns("links.example")
        )
        #expect(throws: TargetURLError.ownOrigin) { try TargetURL(text, rules: named) }
    }

    @Test(
        "another scheme, host or port is another origin",
        arguments: [
            "http://links.example/", "https://links.example:8443/", "https://www.links.example/",
            "https://links.examples/",
            "https://shop.example/?u=https://links.example/", "links:https://links.example/",
        ]
    )
    func otherOrigin(_ text: String) {
        #expect(throws: Never.self) { try TargetURLTests.target(text) }
    }
}
