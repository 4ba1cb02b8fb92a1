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

    @Test("a scheme alone leads nowhere, and is read where it was stored before", arguments: ["a:", "tel:", "My+App:"])
    func schemeAlone(_ text: String) throws {
        #expect(throws: TargetURLError.schemeAlone) { try TargetURLTests.target(text) }
        #expect(throws: TargetURLError.schemeAlone) { try TargetURLTests.target(text, hosts: TargetURLTests.shopOnly) }
        #expect(try TargetURL(stored: text).text == text)
        #expect(try TargetURLTests.target("\(text)b").kind == .app)
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
            ("http://127.0.0.1:8080", "http://[::ffff:127.0.0.1]:8080/r/x"),
            ("http://127.0.0.1:8080", "http://[0:0:0:0:0:FFFF:7f00:1]:8080/r/x"),
            ("http://[::ffff:7f00:1]:8080", "http://127.0.0.1:8080/r/x"),
            ("https://192.0.2.1", "http://[::ffff:c000:201]:99/r/x"),
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
        "the service's own host is refused by any scheme and port: a proxy in front of it sends browsers back",
        arguments: [
            ("https://links.example", "http://links.example/r/x"),
            ("https://links.example", "https://links.example:8443/"),
            ("http://links.example:8080", "https://links.example/"),
            ("http://127.0.0.1:8080", "https://127.0.0.1:8080/"),
        ]
    )
    func ownHost(_ own: String, _ text: String) throws {
        let rules = TargetRules(ownOrigin: try PublicOrigin(own))
        #expect(throws: TargetURLError.ownOrigin) { try TargetURL(text, rules: rules) }
    }

    @Test(
        "on a loopback host another port is another service",
        arguments: [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8081/"), ("http://localhost:8080", "http://localhost/"),
            ("http://[::1]:8080", "http://[::1]:1/"), ("http://127.0.0.1:8080", "http://127.0.0.2:8080/"),
            ("http://127.0.0.1:8080", "http://[::ffff:127.0.0.1]:8081/"),
            ("http://127.0.0.1:8080", "http://[::7f00:1]:8080/"),
            ("http://127.0.0.1:8080", "http://[::ffff:0:7f00:1]:8080/"),
        ]
    )
    func loopback(_ own: String, _ text: String) throws {
        let rules = TargetRules(ownOrigin: try PublicOrigin(own))
        #expect(throws: Never.self) { try TargetURL(text, rules: rules) }
    }

    @Test(
        "a URL that contains another URL is no target, whatever hosts are allowed",
        arguments: [
            "jar:https://other.example!/a", "JAR:https://other.example!/a",
            "filesystem:https://other.example/temporary/a",
            "feed:javascript:alert(1)", "feed://other.example/", "ms-msdt:/id", "search-ms:query=a",
            "mhtml:https://other.example/", "wyciwyg://0/https://other.example/",
        ]
    )
    func wrapped(_ text: String) {
        #expect(throws: TargetURLError.refusedScheme) { try TargetURLTests.target(text) }
        #expect(throws: TargetURLError.refusedScheme) {
            try TargetURLTests.target(text, hosts: TargetURLTests.shopOnly)
        }
        #expect(throws: Never.self) { try TargetURL(stored: text) }
    }

    @Test(
        "where hosts are named, a URL that makes a browser open any page is no target; elsewhere it is an app's",
        arguments: [
            "intent://other.example/#Intent;scheme=https;end", "intent://scan/#Intent;scheme=zxing;end",
            "googlechrome://navigate?url=https://other.example/",
            "microsoft-edge:https://other.example/", "x-safari-https://other.example/", "ms-word:ofe",
            "android-app://com.android.chrome/https/other.example/", "itms-services://?action=download-manifest&url=x",
        ]
    )
    func browsers(_ text: String) {
        #expect(throws: TargetURLError.hostNotAllowed) {
            try TargetURLTests.target(text, hosts: TargetURLTests.shopOnly)
        }
        #expect(throws: Never.self) { try TargetURLTests.target(text) }
    }

    @Test(
        "an app's own scheme stays allowed where hosts are named",
        arguments: ["shopapp://offer/7", "mailto:a@b.example"])
    func apps(_ text: String) throws {
        #expect(try TargetURLTests.target(text, hosts: TargetURLTests.shopOnly).kind == .app)
    }

    @Test(
        "another host is another origin",
        arguments: [
            "https://www.links.example/", "https://links.examples/",
            "https://shop.example/?u=https://links.example/", "links:https://links.example/",
        ]
    )
    func otherOrigin(_ text: String) {
        #expect(throws: Never.self) { try TargetURLTests.target(text) }
    }
}
