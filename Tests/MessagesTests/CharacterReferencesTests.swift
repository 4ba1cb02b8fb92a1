import Messages
import Testing

/// Numeric character references in links: libgumbo counts in 32 bits, so each is read in plain HTML and where a tree is
/// made.
@Suite struct CharacterReferencesTests {
    private func mails(_ html: String) throws -> [Mail] {
        try ["", "<svg></svg>"].map { try Mail("\($0)\(html)", .html) }
    }

    @Test(
        "a number that belongs to no character is U+FFFD, however large",
        arguments: [
            "&#x110000;", "&#xFFFFFF;", "&#x7FFFFFFF;", "&#x80000000;", "&#xFFFFFFFF;", "&#x100000041;",
            "&#x10000002e;", "&#X800000000041;", "&#1114112;", "&#2147483648;", "&#2147483713;", "&#4294967295;",
            "&#4294967361;", "&#99999999999999999999999999;", "&#4294967361", "&#0;", "&#xD800;", "&#x00000000110000;",
        ])
    func noCharacter(_ reference: String) throws {
        for quote in ["\"", "'", ""] {
            for mail in try mails("<a href=\(quote)https://e.example/?\(reference)-\(quote)>x</a>") {
                #expect(mail.body.links.map(\.url) == ["https://e.example/?\u{FFFD}-"])
                #expect(mail.body.links.map(\.skipped) == ["notATarget"])
                #expect(try mail.tracked() == mail.untracked)
            }
        }
        for mail in try mails("<a href='https://shop\(reference)example/&copy;'>x</a>") {
            #expect(mail.body.links.map(\.url) == ["https://shop\u{FFFD}example/©"])
        }
    }

    @Test(
        "zeros before a number do not change it",
        arguments: ["&#65;", "&#x41;", "&#00000000000000000065;", "&#x0000000000000041;"])
    func zeros(_ reference: String) throws {
        for mail in try mails("<a href='https://e.example/\(reference)'>x</a>") {
            #expect(mail.body.links.map(\.target?.text) == ["https://e.example/A"])
        }
    }

    @Test(
        "a large number anywhere takes nothing away from the mail",
        arguments: [
            "<p title='&#xFFFFFFFF;'>", "text &#xFFFFFFFF; more", "<p>&#4294967295;</p>", "&#x80000000;&#x80000000",
            "<!-- &#xFFFFFFFF; -->", "<a title='&#xFFFFFFFF;' name=x></a>",
        ])
    func elsewhere(_ before: String) throws {
        let link = "<a title='&#xFFFFFFFF;' href='https://e.example/4' class='&#xFFFFFFFF; b'>x</a>"
        for mail in try mails("<body>\(before)\(link)&#xFFFFFFFF;</body>") {
            #expect(mail.body.links.map(\.target?.text) == ["https://e.example/4"])
            #expect(try mail.tracked(hasPixel: true).hasSuffix("alt=\"\"></body>"))
        }
        for mail in try mails("\(before)<a class='&#xFFFFFFFF; untracked' href='https://e.example/5'>x</a>") {
            #expect(mail.body.links.map(\.skipped) == ["optedOut"])
        }
    }
}
