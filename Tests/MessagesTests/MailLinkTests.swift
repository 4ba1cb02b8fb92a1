import Identifiers
import JSON
import Messages
import Testing

@Suite struct MailLinkTests {
    private func message(_ json: String) throws -> Message {
        let rules = TargetRules(
            ownOrigin: try PublicOrigin("https://links.example"), allowedHosts: [try TargetHostPattern("shop.example")])
        return try Message.shape(rules: rules).read(JSONValue.parse(Array(json.utf8)))
    }

    private static let mail = #"""
        {"name":"n","html":"<a href='https://shop.example/a'>a</a><a href='https://shop.example/b'>b</a>
        <a href='https://shop.example/a' data-consentlink-label='Top'>a</a><a href='https://shop.example/a'>a</a>
        <a href='https://other.example/'>o</a>","text":"https://shop.example/a https://shop.example/c"
        """#.replacing("\n", with: "\\n")

    private func links(_ message: Message) -> [String] {
        message.links.map { "\($0.index) \($0.location) \($0.target.text) \($0.label ?? "-") \($0.isTracked)" }
    }

    @Test("links of a mail are told apart by body, URL and label")
    func apart() throws {
        #expect(
            links(try message(Self.mail + "}")) == [
                "1 html https://shop.example/a - true", "2 html https://shop.example/b - true",
                "3 html https://shop.example/a Top true", "4 text https://shop.example/a - true",
                "5 text https://shop.example/c - true",
            ])
    }

    @Test("labels with different bytes are two links, whatever Swift's String says")
    func labels() throws {
        let places = ["\u{E9}", "e\u{301}", "\u{E9}"].map { label in
            "<a href='https://shop.example/a' data-consentlink-label='\(label)'>a</a>"
        }
        let message = try message(#"{"name":"n","html":"\#(places.joined())"}"#)
        #expect(message.links.map { Array(($0.label ?? "").utf8) } == [Array("\u{E9}".utf8), Array("e\u{301}".utf8)])
        #expect(message.mailLinkIndexes.count == 2)
    }

    @Test("their indexes come behind those of the link and the actions")
    func behind() throws {
        let own = #","link":"https://shop.example/","actions":[{"id":"x","title":"t"},{"id":"y","title":"t"}]}"#
        #expect(
            links(try message(Self.mail + own)).map { $0.prefix(6) } == [
                "1 link", "4 html", "5 html", "6 html", "7 text", "8 text",
            ])
        #expect(links(try message(Self.mail + #","tracking":false}"#)).allSatisfy { $0.hasSuffix("false") })
    }

    @Test("a message is stored with the links that were found, and they are not looked for again")
    func stored() throws {
        let message = try message(Self.mail + #","openTracking":true}"#)
        let bytes = try message.canonicalJSON
        let again = try Message(canonicalJSON: bytes)
        #expect(again == message)
        #expect(again.html == message.html)
        #expect(again.text == message.text)
        #expect(again.openTracking)
        #expect(links(again) == links(message))
        let fewer = String(decoding: bytes, as: UTF8.self)
            .replacing(#"{"place":"html","url":"https://shop.example/b"},"#, with: "")
        #expect(try Message(canonicalJSON: Array(fewer.utf8)).mailLinks.count == message.mailLinks.count - 1)
    }

    @Test(
        "more stored links than there are indexes are not read",
        arguments: [("", 65_535), (#""link":"https://shop.example/","#, 65_534)])
    func tooManyStored(_ link: String, _ greatest: Int) throws {
        func stored(_ count: Int) throws -> Message {
            let links = Array(repeating: #"{"place":"text","url":"app://x"}"#, count: count).joined(separator: ",")
            return try Message(canonicalJSON: Array(#"{\#(link)"mailLinks":[\#(links)],"name":"n"}"#.utf8))
        }
        #expect(try stored(greatest).links.last?.index.rawValue == 65_535)
        #expect(throws: BodyProblems.self) { try stored(greatest + 1) }
    }

    @Test("every member of the mail tells messages apart")
    func digest() throws {
        let messages = try [
            "", #","html":"x""#, #","html":"y""#, #","text":"x""#, #","html":"x","openTracking":true"#, #","html":"""#,
        ].map { try message(#"{"name":"n"\#($0)}"#) }
        #expect(Set(messages).count == messages.count)
        #expect(try message(#"{"name":"n","openTracking":false}"#) == messages[0])
    }

    @Test("a backend cannot say which links there are")
    func foreign() {
        #expect(throws: BodyProblems.self) { try message(#"{"name":"n","html":"x","mailLinks":[]}"#) }
    }

    @Test("a mail that cannot be searched is refused where it stands")
    func refused() throws {
        let deep = String(repeating: "<div>", count: 100_000)
        #expect {
            try message(#"{"name":"n","html":"\#(deep)"}"#)
        } throws: { error in
            (error as? BodyProblems)?.problems.map(\.pointer.description) == ["/html"]
        }
    }

    @Test("a message has 65,535 links at most, those of both bodies together")
    func most() throws {
        let urls = (0..<65_535).map { "https://shop.example/\($0)" }
        let text = urls.joined(separator: " ")
        #expect(try message(#"{"name":"n","text":"\#(text)"}"#).links.last?.index.rawValue == 65_535)
        #expect(throws: BodyProblems.self) {
            try message(#"{"name":"n","text":"\#(text)","html":"<a href=https://shop.example/>"}"#)
        }
    }
}
