import Messages
import Organizations
import Testing

@Suite struct ConsentPageURLTests {
    @Test(
        "is an https address as it was given, and names the host to which it leads",
        arguments: [
            ("https://shop.example/agree", "shop.example"), ("HTTPS://Shop.Example:8443/?a=1#b", "shop.example"),
            ("https://xn--bcher-kva.example/", "xn--bcher-kva.example"), ("https://[2001:DB8::1]/", "[2001:db8::1]"),
        ])
    func accepted(_ text: String, _ host: String) throws {
        let page = try ConsentPageURL(text)
        #expect(page.text == text)
        #expect(page.host == host)
    }

    @Test(
        "is nothing that runs code, that a stranger could read on the way, or that browsers read in another way",
        arguments: [
            ("", ConsentPageURLError.target(.empty)), ("http://shop.example/", .notSecure),
            ("javascript:alert(1)", .target(.refusedScheme)), ("mailto:a@shop.example", .notSecure),
            ("https://user@shop.example/", .target(.credentials)), ("https:/shop.example", .target(.slashesMissing)),
            ("//other.example/", .target(.notAbsolute)),
            ("https://shop.example/\"><script>", .target(.forbiddenCharacter)),
            ("https://shop.example/a b", .target(.whiteSpace)), ("https://bücher.example/", .target(.notASCII)),
            ("shop-app://agree", .notSecure),
        ])
    func refused(_ text: String, _ error: ConsentPageURLError) {
        #expect(throws: error) { try ConsentPageURL(text) }
        #expect(text.isEmpty || !error.description.contains(text))
    }

    @Test("has at most 2,048 bytes")
    func length() throws {
        let start = "https://shop.example/"
        let longest = start + String(repeating: "a", count: 2048 - start.utf8.count)
        #expect(try ConsentPageURL(longest).text == longest)
        #expect(throws: ConsentPageURLError.target(.tooLong)) { try ConsentPageURL(longest + "a") }
    }
}
