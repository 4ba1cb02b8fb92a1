import Identifiers
import JSON
import Messages
import Testing

@Suite struct MessageCanonicalJSONTests {
    private static func full() throws -> Message {
        var message = Message(name: "spring-sale")
        message.title = "T \"quoted\" \u{2028}"
        message.body = "Zeile 1\nZeile 2 😀"
        message.imageURL = try TargetURL(stored: "https://cdn.example/i.png")
        message.link = Message.Link(target: try TargetURL(stored: "https://shop.example/a%2Fb?c=d#e"), isDeepLink: true)
        message.actions = [
            Message.Action(id: "buy", title: "Buy", link: message.link),
            Message.Action(id: "later", title: "Later", link: nil),
        ]
        message.badge = 0
        message.sound = "default"
        message.category = "offers"
        message.contentAvailable = true
        // By UTF-8 U+FFFD comes before the emoji, by UTF-16 after it.
        message.custom = [
            Message.CustomField(key: "", value: ""), Message.CustomField(key: "k", value: "v"),
            Message.CustomField(key: "\u{FFFD}", value: "1"), Message.CustomField(key: "😀", value: "2"),
        ]
        message.tracking = false
        message.purposes = try MessagePurposes(both: Purpose("mail"))
        message.expiresAt = Timestamp(millisecondsSince1970: 1_796_083_200_123)
        return message
    }

    /// Says everything that there was to say when messages had neither tags nor labels, and those.
    private static func labelled() throws -> Message {
        var message = try full()
        message.tags = [try MessageTag("b"), try MessageTag("a")].sorted()
        message.linkLabel = "hero"
        message.actions[0] = Message.Action(id: "buy", title: "Buy", link: message.link, label: "Buy now")
        return message
    }

    private func text(_ message: Message) throws -> String {
        String(decoding: try message.canonicalJSON, as: UTF8.self)
    }

    @Test("what a message does not say is left out, and so is what goes without saying")
    func defaults() throws {
        #expect(try text(Message(name: "news")) == #"{"name":"news"}"#)
        var message = Message(name: "news")
        message.link = Message.Link(target: try TargetURL(stored: "https://shop.example/"), isDeepLink: false)
        #expect(try text(message) == #"{"link":"https://shop.example/","name":"news"}"#)
    }

    @Test("the bytes of a message that says everything, which never change")
    func bytes() throws {
        let expected =
            #"{"actions":[{"deepLink":true,"id":"buy","link":"https://shop.example/a%2Fb?c=d#e","title":"Buy"},"#
            + #"{"id":"later","title":"Later"}],"badge":0,"body":"Zeile 1\nZeile 2 😀","category":"offers","#
            + #""contentAvailable":true,"custom":{"":"","k":"v","😀":"2","�":"1"},"deepLink":true,"#
            + #""expiresAt":"2026-12-01T00:00:00.123Z","imageUrl":"https://cdn.example/i.png","#
            + #""link":"https://shop.example/a%2Fb?c=d#e","name":"spring-sale","purpose":"mail","sound":"default","#
            + "\"title\":\"T \\\"quoted\\\" \u{2028}\",\"tracking\":false}"
        #expect(try text(Self.full()) == expected)
    }

    @Test("tags and labels stand among the others, which stay as they were")
    func labelledBytes() throws {
        let expected = try text(Self.full())
            .replacing(#""id":"buy","#, with: #""id":"buy","label":"Buy now","#)
            .replacing(#","name":"spring-sale""#, with: #","linkLabel":"hero","name":"spring-sale""#)
            .replacing(#""sound":"default","#, with: #""sound":"default","tags":["a","b"],"#)
        #expect(try text(Self.labelled()) == expected)
    }

    @Test("what was written is read back")
    func roundTrip() throws {
        for message in [try Self.full(), try Self.labelled(), Message(name: "news")] {
            let read = try Message(canonicalJSON: message.canonicalJSON)
            #expect(read == message)
            #expect(try read.canonicalJSON == message.canonicalJSON)
        }
    }

    @Test("a message stays readable when the rules for its targets have changed")
    func rulesChanged() throws {
        let bytes = Array(#"{"link":"https://links.example/old","name":"news"}"#.utf8)
        #expect(try Message(canonicalJSON: bytes).link?.target.text == "https://links.example/old")
    }

    @Test("however it was written, the same message has the same bytes")
    func writtenOtherwise() throws {
        let shape = Message.shape(rules: TargetRules(ownOrigin: try PublicOrigin("https://links.example")))
        let spellings = [
            #"{"name":"n","title":"é","custom":{"b":"2","a":"1"},"badge":1,"expiresAt":"2026-12-01T00:00:00Z","tags":["x","y"]}"#,
            #"{"tags":["y","x"],"expiresAt":"2026-12-01T01:00:00.0001+01:00","badge":1,"custom":{"a":"1","b":"2"},"name":"n","title":"\u00e9"}"#,
            #" { "name" : "\u006e", "title":"é","custom":{"a":"1","b":"2"},"badge":1,"sound":null,"tracking":true, "#
                + #""purpose":"tracking","deepLink":false,"contentAvailable":false,"actions":[],"expiresAt":"2026-12-01T00:00:00.000Z","tags":["\u0079","x"],"linkLabel":null}"#,
        ]
        let all = try spellings.map { try text(shape.read(JSONValue.parse(Array($0.utf8)))) }
        #expect(Set(all.map { Array($0.utf8) }).count == 1, "\(all)")
    }

    @Test("messages that differ in anything have other bytes", arguments: Change.allCases)
    func differs(_ change: Change) throws {
        let message = try Self.labelled()
        let changed = try change.applied(to: message)
        #expect(try changed.canonicalJSON != message.canonicalJSON)
        #expect(changed != message)
    }

    enum Change: CaseIterable {
        case name, title, titleGone, titleComposed, body, image, link, deepLink, linkGone, actionTitle, actionOrder,
            actionLink
        case badge, badgeGone, sound, category, contentAvailable, customKey, customValue, customGone, tracking, purpose
        case expiry, expiryGone
        case tag, tagGone, linkLabel, linkLabelGone, actionLabel, actionLabelGone

        func applied(to original: Message) throws -> Message {
            var message = original
            switch self {
            case .name: message.name += "2"
            case .title: message.title?.append(" ")
            case .titleGone: message.title = nil
            case .titleComposed: message.title = "T \"quoted\"\u{2028} "
            case .body: message.body = message.body?.lowercased()
            case .image: message.imageURL = try TargetURL(stored: "https://cdn.example/I.png")
            case .link:
                message.link = Message.Link(
                    target: try TargetURL(stored: "https://shop.example/a%2fb?c=d#e"), isDeepLink: true)
            case .deepLink: message.link = message.link.map { Message.Link(target: $0.target, isDeepLink: false) }
            case .linkGone: message.link = nil
            case .actionTitle: message.actions[0] = Message.Action(id: "buy", title: "buy", link: message.link)
            case .actionOrder: message.actions.reverse()
            case .actionLink: message.actions[1] = Message.Action(id: "later", title: "Later", link: message.link)
            case .badge: message.badge = 1
            case .badgeGone: message.badge = nil
            case .sound: message.sound = "Default"
            case .category: message.category = nil
            case .contentAvailable: message.contentAvailable = false
            case .customKey: message.custom[1] = Message.CustomField(key: "K", value: "v")
            case .customValue: message.custom[1] = Message.CustomField(key: "k", value: "V")
            case .customGone: message.custom.removeLast()
            case .tracking: message.tracking = true
            case .purpose: message.purposes = .tracking
            case .expiry: message.expiresAt = message.expiresAt?.advanced(byMilliseconds: 1)
            case .expiryGone: message.expiresAt = nil
            case .tag: message.tags[1] = try MessageTag("B")
            case .tagGone: message.tags.removeLast()
            case .linkLabel: message.linkLabel = "Hero"
            case .linkLabelGone: message.linkLabel = nil
            case .actionLabel: message.actions[0] = action(of: message, label: "buy")
            case .actionLabelGone: message.actions[0] = action(of: message, label: nil)
            }
            return message
        }

        private func action(of message: Message, label: String?) -> Message.Action {
            Message.Action(id: "buy", title: "Buy", link: message.link, label: label)
        }
    }

    @Test("messages are equal when their bytes are, however much they look alike")
    func lookAlikes() throws {
        var one = Message(name: "news")
        one.title = "\u{E9}"
        var other = Message(name: "news")
        other.title = "e\u{301}"
        #expect(try one.canonicalJSON != other.canonicalJSON)
        #expect(one != other)
    }

    @Test("messages that canonical JSON cannot write are not equal for that")
    func unwritable() throws {
        var one = Message(name: "news")
        one.badge = 1 << 53
        var other = one
        other.badge = 1 << 54
        #expect(throws: JSONError.numberNotCanonical) { try one.canonicalJSON }
        #expect(one != other)
        #expect(Set([one, other, one]).count == 2)
    }
}
