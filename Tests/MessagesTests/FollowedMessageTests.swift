import Identifiers
import Messages
import Testing

@Suite struct FollowedMessageTests {
    private func message(
        opens: String = "tracking", isDisabled: Bool = false, isUntracked: Bool = false, tracksOpens: Bool = false,
        actions: [String] = [], targets: [UInt16: String] = [1: "https://shop.example/?a=1"]
    ) throws -> FollowedMessage {
        FollowedMessage(
            id: try #require(MessageID(rawValue: 7)), organization: try OrganizationID("acme"),
            purposes: MessagePurposes(clicks: .tracking, opens: try Purpose(opens)), isDisabled: isDisabled,
            isUntracked: isUntracked, tracksOpens: tracksOpens, actions: actions,
            targets: try Dictionary(
                uniqueKeysWithValues: targets.map { (LinkIndex(rawValue: $0), try TargetURL(stored: $1)) }))
    }

    @Test("what is packed is read as it was")
    func roundTrip() throws {
        let all = [
            try message(), try message(opens: "opens"), try message(isDisabled: true), try message(isUntracked: true),
            try message(tracksOpens: true), try message(actions: ["buy", "日本", ""]), try message(targets: [:]),
            try message(targets: [
                1: "app://x", 2: "https://shop.example/" + String(repeating: "x", count: 2000),
                65535: "https://a.example/",
            ]),
        ]
        for message in all { #expect(FollowedMessage(id: message.id, packed: message.packed) == message) }
    }

    @Test("of two links with one index, the one of the content is followed")
    func sameIndex() throws {
        var content = Message(name: "news")
        content.link = Message.Link(target: try TargetURL(stored: "https://shop.example/own"), isDeepLink: false)
        let added = MailLink(part: .html, target: try TargetURL(stored: "https://shop.example/added"), label: nil)
        let message = StoredMessage(
            id: try #require(MessageID(rawValue: 7)), organization: try OrganizationID("acme"), content: content,
            createdAt: Timestamp(millisecondsSince1970: 0), isDisabled: false,
            addedLinks: [added.added(at: Message.ownLinkIndex)])
        let targets = FollowedMessage(message).targets.mapValues(\.text)
        #expect(targets == [Message.ownLinkIndex: "https://shop.example/own"])
        #expect(!content.mayHave(added: message.addedLinks))
        #expect(content.mayHave(added: [added.added(at: LinkIndex(rawValue: 2))]))
    }

    @Test("what is cut short, extended or of another version is not read")
    func malformed() throws {
        let message = try message(
            opens: "opens", actions: ["buy"], targets: [1: "https://a.example/", 2: "https://b.example/"])
        let packed = message.packed
        for count in packed.indices {
            #expect(FollowedMessage(id: message.id, packed: Array(packed.prefix(count))) == nil)
        }
        #expect(FollowedMessage(id: message.id, packed: packed + [0]) == nil)
        #expect(FollowedMessage(id: message.id, packed: [2] + packed.dropFirst()) == nil)
        #expect(FollowedMessage(id: message.id, packed: [packed[0], 0x80] + packed.dropFirst(2)) == nil)
    }

    @Test("no bytes make it crash")
    func anything() throws {
        let message = try message(opens: "opens", actions: ["buy"])
        for index in message.packed.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var packed = message.packed
                packed[index] = value
                _ = FollowedMessage(id: message.id, packed: packed)
            }
        }
    }
}
