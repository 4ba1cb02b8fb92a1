import Messages
import Testing

@Suite struct TargetHostTests {
    @Test(
        "a pattern is shown in lower case and in its usual form",
        arguments: [
            ("shop.example", "shop.example"), ("SHOP.Example", "shop.example"), ("shop.example.", "shop.example"),
            ("*.Shop.Example", "*.shop.example"), ("localhost", "localhost"), ("*.localhost", "*.localhost"),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("a_b.example", "a_b.example"),
            ("192.0.2.1", "192.0.2.1"),
            ("[2001:DB8::0:1]", "[2001:db8::1]"), ("[::]", "[::]"),
            (maximumNameLength, maximumNameLength),
        ]
    )
    func accepted(_ text: String, _ shown: String) throws {
        #expect(try TargetHostPattern(text).description == shown)
        #expect(try TargetHostPattern(text) == TargetHostPattern(shown))
        #expect(try TargetHostPattern(text).hashValue == TargetHostPattern(shown).hashValue)
    }

    @Test(
        "what is no pattern of hosts is refused",
        arguments: [
            "", " ", ".", "..", "*", "*.", "**.shop.example", "*shop.example", "*.*.example", "shop.*", "www.*.example",
            ".shop.example", "shop..example", "*..shop.example", "https://shop.example", "shop.example/",
            "shop.example:443",
            "user@shop.example", "shop example", "shop.example\n", "bücher.example", "shop%2eexample", "shop,example",
            "127.1", "0x7f.0.0.1", "1.2.3.256", "*.1.2.3.4", "*.2.3.4", "*.[::1]", "[::1", "::1", "[]", "[::1]:80",
            maximumNameLength + "a", "*." + maximumNameLength, "".padded(to: 64) + ".example",
        ]
    )
    func refused(_ text: String) {
        #expect(throws: TargetURLError.notAHostPattern) { try TargetHostPattern(text) }
    }

    @Test("a wildcard and the name below it are different patterns")
    func equality() throws {
        #expect(try TargetHostPattern("*.shop.example") != TargetHostPattern("shop.example"))
    }

    /// The forms of RFC 5952, 4.
    @Test(
        "an IPv6 address has one spelling",
        arguments: [
            ("2001:0db8:0000:0000:0000:0000:0002:0001", "2001:db8::2:1"),
            ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("2001:db8::1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
            ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("0:0:0:0:0:0:0:0", "::"), ("0:0:0:0:0:0:0:1", "::1"),
            ("1:0:0:0:0:0:0:0", "1::"), ("::1:2:3:4:5:6:7", "0:1:2:3:4:5:6:7"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("ABCD:EF01:2345:6789:abcd:ef01:2345:6789", "abcd:ef01:2345:6789:abcd:ef01:2345:6789"),
            ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"), ("::1.2.3.4", "::102:304"),
            ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
            ("0:0:0:1::", "0:0:0:1::"), ("1::8", "1::8"), ("1:0:0:4:5:0:0:8", "1::4:5:0:0:8"),
            ("0:2:0:4:0:6:0:8", "0:2:0:4:0:6:0:8"),
        ]
    )
    func ipv6(_ text: String, _ shown: String) throws {
        #expect(try TargetURL(stored: "http://[\(text)]/").host?.text == "[\(shown)]")
        #expect(try TargetURL(stored: "http://[\(shown)]/").host?.text == "[\(shown)]")
    }

    @Test(
        "only addresses are addresses",
        arguments: [
            ("192.0.2.1", true), ("[::1]", true), ("shop.example", false), ("1.2.3.4.example", false),
        ]
    )
    func isAddress(_ host: String, _ isAddress: Bool) throws {
        #expect(try TargetURL(stored: "http://\(host)/").host?.isAddress == isAddress)
    }

    /// 253 bytes, in labels of 63 at most.
    static let maximumNameLength = Array(repeating: "".padded(to: 62), count: 4).joined(separator: ".") + ".a"
}
