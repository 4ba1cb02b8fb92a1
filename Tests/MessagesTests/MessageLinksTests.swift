import Identifiers
import Messages
import Testing

@Suite struct MessageLinksTests {
    private func link(_ url: String, deep: Bool = false) throws -> Message.Link {
        Message.Link(target: try TargetURL(stored: url), isDeepLink: deep)
    }

    @Test("a message without links has none")
    func none() {
        var message = Message(name: "news")
        #expect(message.links.isEmpty)
        message.actions = [Message.Action(id: "later", title: "Later", link: nil)]
        #expect(message.links.isEmpty)
    }

    @Test("the message's own link is 1, a button's 2 and its position, whichever other links there are")
    func indexes() throws {
        var message = Message(name: "news")
        message.actions = [
            Message.Action(id: "later", title: "Later", link: nil),
            Message.Action(id: "buy", title: "Buy", link: try link("https://shop.example/buy")),
            Message.Action(id: "open", title: "Open", link: try link("shop://open")),
        ]
        #expect(message.links.map(\.index.rawValue) == [3, 4])
        message.link = try link("https://shop.example/")
        #expect(message.links.map(\.index.rawValue) == [1, 3, 4])
        #expect(message.links.map(\.location) == ["link", "actions/1/link", "actions/2/link"])
        #expect(message.links.map(\.label) == [nil, "buy", "open"])
        #expect(message.links.map(\.isTracked) == [true, true, false])
        #expect(
            message.links.map(\.target.text) == ["https://shop.example/", "https://shop.example/buy", "shop://open"])
        #expect(Message.ownLinkIndex != .message, "0 is the message itself")
        #expect((0..<32).map { Message.linkIndex(ofActionAt: $0).rawValue } == Array(2..<34))
    }

    @Test("a link is called by its label; a button's without one by the id of the button")
    func labels() throws {
        var message = Message(name: "news")
        message.link = try link("https://shop.example/")
        message.linkLabel = "hero"
        message.actions = [
            Message.Action(id: "buy", title: "Buy", link: message.link, label: "Buy now"),
            Message.Action(id: "later", title: "Later", link: message.link),
        ]
        #expect(message.links.map(\.label) == ["hero", "Buy now", "later"])
    }

    @Test(
        "what a browser opens is tracked, what an app opens is not",
        arguments: [
            ("https://shop.example/", false, true), ("http://shop.example/", false, true),
            ("HTTPS://shop.example/", false, true), ("https://shop.example/", true, false),
            ("shop://open", false, false),
            ("shop://open", true, false), ("mailto:ana@example.com", false, false), ("tel:+4912345", false, false),
        ]
    )
    func trackable(_ url: String, _ isDeepLink: Bool, _ isTracked: Bool) throws {
        var message = Message(name: "news")
        message.link = try link(url, deep: isDeepLink)
        message.actions = [Message.Action(id: "a", title: "A", link: try link(url, deep: isDeepLink))]
        #expect(message.links.map(\.isTracked) == [isTracked, isTracked])
        message.tracking = false
        #expect(message.links.map(\.isTracked) == [false, false], "a message can ask that nobody be tracked")
    }
}
