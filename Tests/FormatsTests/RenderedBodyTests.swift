import Consent
import Formats
import Identifiers
import JSON
import Messages
import Testing
import TrackingIDs

/// A body that is written for one recipient, beside the mail that is composed from the same message for them.
@Suite struct RenderedBodyTests {
    private static let html = """
        <!-- \\ "é" --><p title="\t😀">é<a href="https://shop.example/é?a=1&amp;b=2">\u{1}</a><br>\r
        <a href='https+notrack://shop.example/quiet'>"</a>{{consentlink.preferences}}
        <a href=https://shop.example/b>\\</a>
        <a href="https://shop.example/c">c</a><a href="https://shop.example/b">b</a></body>"
        """
    private static let text =
        "\"https://shop.example/text\"\n{{consentlink.preferences}} http+notrack://shop.example/q \\"

    private static func message(html: String, hasPixel: Bool) throws -> Message {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("name", "n")
            writer.member("html", html)
            writer.member("text", text)
            writer.member("openTracking", hasPixel)
        }
        return try Samples.message(JSONValue.parse(writer.bytes))
    }

    private static func body(
        _ text: String, _ part: BodyLink.Part, of message: Message, _ decisions: RecipientDecisions
    ) throws -> RenderedBody {
        let rules = TargetRules(ownOrigin: try Samples.origin())
        let body = try MessageBody(text, part) { url throws(TargetURLError) in try TargetURL(url, rules: rules) }
        let stored = StoredMessage(
            id: try #require(MessageID(rawValue: 0x33b2_e7a1_c04f_1d2a)), organization: try OrganizationID("acme"),
            content: message, createdAt: Timestamp(secondsSince1970: 1_795_338_000), isDisabled: false)
        let indexes = message.mailLinkIndexes
        return RenderedBody(
            body, decisions, of: stored, origin: try Samples.origin(),
            expiry: LinkExpiry(secondsSince1970: 1_811_030_400), sealer: try Samples.sealer()
        ) { link in
            link.mailLink.flatMap { indexes[$0] }
        }
    }

    private static func check(html: String) throws {
        for hasPixel in [false, true] {
            let message = try message(html: html, hasPixel: hasPixel)
            let compiled = try Samples.compiled(message, .email)
            for decision in [try Samples.tracked(), try Samples.untracked()] {
                let composed = try JSONValue.parse(Samples.payload(decision, compiled))
                for (text, part) in [(html, BodyLink.Part.html), (Self.text, .text)] {
                    let rendered = try body(text, part, of: message, .together(decision))
                    #expect(rendered.part == part)
                    try #require(composed[part.rawValue] == .string(String(decoding: rendered.bytes, as: UTF8.self)))
                    var writer = JSONWriter()
                    writer.object { writer in
                        writer.member("before", 1)
                        writer.key(part.rawValue)
                        rendered.write(to: &writer)
                        writer.member("behind", 2)
                    }
                    let written = try JSONValue.parse(writer.bytes)
                    try #require(written[part.rawValue] == composed[part.rawValue])
                    #expect(written["before"] == .integer(1) && written["behind"] == .integer(2))
                }
            }
        }
    }

    @Test("A rewritten body is what is composed from the same one, as bytes and as a string of JSON")
    func sameAsComposed() throws {
        try Self.check(html: Self.html)
        try Self.check(html: "")
        try Self.check(html: "<a href=\"https://shop.example/é\"></a>")
    }

    @Test("Wherever a link begins and ends, what is around it is escaped as if it were one text")
    func places() throws {
        for length in [0, 1, 15, 16, 17, 31, 33, 1022, 1023, 1024, 1025] {
            for last in ["x", "é", "😀", "\"", "\\", "\n"] {
                let filling = String(repeating: "y", count: length) + last
                try Self.check(html: "\(filling)<a href=https://shop.example/a>\(filling)</a>\(filling)")
            }
        }
    }
}
