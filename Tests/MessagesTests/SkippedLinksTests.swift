import JSON
import Messages
import Testing

@Suite struct SkippedLinksTests {
    private func rules(_ hosts: String...) throws -> TargetRules {
        TargetRules(
            ownOrigin: try PublicOrigin("https://links.example"), allowedHosts: try hosts.map(TargetHostPattern.init))
    }

    private func message(_ html: String, _ text: String) throws -> Message {
        let json = #"{"name":"n","html":"\#(html)","text":"\#(text)"}"#
        return try Message.shape(rules: rules("shop.example")).read(JSONValue.parse(Array(json.utf8)))
    }

    private func report(_ message: Message, _ rules: TargetRules) throws -> [String] {
        try message.skippedLinks(rules: rules).map {
            "\($0.link.part.rawValue) \($0.link.range.lowerBound) \($0.link.line) \($0.link.url) \($0.reason)"
        }
    }

    @Test("every link that stays as it is is named, with its place and the reason")
    func skipped() throws {
        let message = try message(
            #"<a href='https://shop.example/'>\n<a href='mailto:x'><a href='https://links.example/r/x'>"#,
            "https://shop.example/ https://other.example/. https+notrack://shop.example/")
        #expect(
            try report(message, rules("shop.example")) == [
                "html 42 2 mailto:x has a scheme that a browser does not follow to a page",
                "html 61 2 https://links.example/r/x must not lead to this service itself",
                "text 22 1 https://other.example/ must lead to one of the organization's targetHosts",
                "text 46 1 https://shop.example/ asks not to be tracked",
            ])
    }

    @Test("what was settled when the message was made holds, whatever is allowed since")
    func settled() throws {
        let message = try message("<a href='https://shop.example/'>", "https://other.example/")
        let refused = ["text 0 1 https://other.example/ must lead to one of the organization's targetHosts"]
        #expect(try report(message, rules("elsewhere.example")) == refused)
        #expect(try report(message, rules()) == refused)
    }

    @Test("a message without a mail skips nothing")
    func nothing() throws {
        #expect(try Message(name: "n").skippedLinks(rules: rules()) == [])
    }
}
