import Messages
import Testing

/// Tags in which a name stands twice, often by a stray quote: `class="y""` has an attribute named `"`. The first of a
/// name counts, but for opt-outs, and no other attribute is lost by it.
@Suite struct DuplicateAttributeTests {
    /// What is around a link: nothing, something for which a tree is made, and a comment that Outlook reads.
    private static let surroundings = [
        ("", ""), ("<svg></svg>", ""), ("<!--[if mso]>", "<![endif]-->"), ("<!--[if mso]><svg></svg>", "<![endif]-->"),
    ]

    private func mails(_ html: String) throws -> [Mail] {
        try Self.surroundings.map { try Mail("\($0)\(html)text\($1)", .html) }
    }

    @Test(
        "an opt-out behind a name that stands twice is seen",
        arguments: [
            #"<a href="https://shop.example/a"" class="y"" data-consentlink="off">"#,
            "<a href='https://shop.example/a' nofollow nofollow ses:no-track>",
            "<a href='https://shop.example/a' x x clicktracking=off>",
            "<a href='https://shop.example/a' x X data-link-tracking='off'>",
            "<a download download class='untracked' href='https://shop.example/a'>",
            "<area x x data-consentlink href=https://shop.example/a>",
            "<v:roundrect fill fill data-consentlink=false href='https://shop.example/a'>",
            "<a href='https://shop.example/a' data-consentlink=on data-consentlink=off>",
            "<a class=button href='https://shop.example/a' class='big untracked'>",
        ])
    func optedOut(_ tag: String) throws {
        for mail in try mails(tag) {
            #expect(mail.body.links.map(\.url) == ["https://shop.example/a"])
            #expect(mail.body.links.map(\.skipped) == ["optedOut"])
            #expect(try mail.tracked() == mail.untracked)
        }
    }

    @Test(
        "a link behind a name that stands twice is found, and the first of two counts",
        arguments: [
            #"<a class="y"" style="b"" href="https://shop.example/b">"#,
            "<a x x href='https://shop.example/b'>", "<a x=1 x href=https://shop.example/b>",
            "<a x x\nhref = 'https://shop.example/b' href='https://shop.example/c'>",
            "<area href='https://shop.example/b' x x href=https://shop.example/c>",
            "<v:roundrect fill fill href='https://shop.example/b'>",
            "<a title title data-consentlink-label data-consentlink-label href='https://shop.example/b'>",
        ])
    func found(_ tag: String) throws {
        for mail in try mails(tag) {
            #expect(mail.body.links.map(\.url) == ["https://shop.example/b"])
            #expect(
                try mail.tracked()
                    == mail.untracked.replacing("https://shop.example/b", with: "\(Mail.origin)/r/(1)"))
        }
    }

    @Test("a marker behind a name that stands twice is left out for all")
    func marker() throws {
        for mail in try mails(#"<a x x href="https+notrack://shop.example/c">"#) {
            #expect(mail.body.links.map(\.skipped) == ["optedOut"])
            #expect(mail.untracked.contains(#"<a x x href="https://shop.example/c">"#))
            #expect(try mail.tracked() == mail.untracked)
        }
    }

    @Test("the label behind a name that stands twice is the link's")
    func label() throws {
        for mail in try mails("<a x x data-consentlink-label='Top' href='https://shop.example/d'>") {
            #expect(mail.body.links.map(\.label) == ["Top"])
        }
    }
}
