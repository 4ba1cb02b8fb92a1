import Consent
import Cryptography
import Formats
import Identifiers
import JSON
import Messages
import Testing
import TrackingIDs

@Suite struct CompiledMessageTests {
    private static let whole = #"""
        {"name":"n","title":"T","body":"B","imageUrl":"https://cdn.example/i.png","link":"https://shop.example/",
        "badge":2,"sound":"default","category":"C","contentAvailable":true,"custom":{"k":"v"}}
        """#

    @Test("payloads of untracked recipients are the same bytes for everybody", arguments: Samples.formats)
    func untracked(_ format: PayloadFormat) throws {
        let compiled = try Samples.compiled(Samples.message(Self.whole), format)
        let one = try Samples.payload(Samples.untracked(1), compiled)
        #expect(try Samples.payload(Samples.untracked(2), compiled) == one)
        #expect(try Samples.payload(Samples.untracked(nil), compiled) == one)
        let text = String(decoding: one, as: UTF8.self)
        #expect(!text.contains("links.example"))
        #expect(!text.contains("/r/"))
        #expect(text.firstMatch(of: /[A-Za-z0-9_-]{54}/) == nil, "no token")
        #expect(text.contains("00000000-0000-0000-0000-000000000000"))
    }

    @Test(
        "tags and labels are in no payload, and no format lacks them",
        arguments: Samples.formats + [.email, .adobeCampaign(.ios), .bird(.android)])
    func labels(_ format: PayloadFormat) throws {
        let plain = try Samples.message(
            #"{"name":"n","link":"https://shop.example/","actions":[{"id":"a","title":"A","link":"https://shop.example/b"}]}"#
        )
        let labelled = try Samples.message(
            #"""
            {"name":"n","link":"https://shop.example/","actions":[{"id":"a","title":"A","link":"https://shop.example/b",
            "label":"LABEL"}],"linkLabel":"LABEL","tags":["TAG"]}
            """#)
        let (one, other) = (try Samples.compiled(plain, format), try Samples.compiled(labelled, format))
        for decision in [try Samples.tracked(), try Samples.untracked()] {
            #expect(try Samples.payload(decision, one) == Samples.payload(decision, other))
        }
        #expect(one.unsupportedMembers == other.unsupportedMembers)
    }

    @Test("payloads of tracked recipients differ in the tracking IDs alone", arguments: Samples.formats)
    func tracked(_ format: PayloadFormat) throws {
        let compiled = try Samples.compiled(Samples.message(Self.whole), format)
        let token = /[A-Za-z0-9_-]{54}/
        let texts = try [UInt64(1), 2].map {
            String(decoding: try Samples.payload(Samples.tracked($0), compiled), as: UTF8.self)
        }
        #expect(texts[0] != texts[1])
        #expect(texts[0].replacing(token, with: "") == texts[1].replacing(token, with: ""))
        #expect(texts[0].matches(of: token).count == 2)
        #expect(Set(texts.flatMap { $0.matches(of: token).map(\.output) }).count == 4)
    }

    @Test("a token in a payload opens to whom it was decided about, the link's own and the message's")
    func opens() throws {
        let key = KeyRing.Key(
            id: 1, secret: SecretBytes(Array(0..<32)), createdAt: Timestamp(secondsSince1970: 1_795_338_000))
        let opener = try TrackingIDOpener(keyRing: KeyRing(keys: [key]))
        let compiled = try Samples.compiled(Samples.message(Self.whole), .plain)
        let payload = try JSONValue.parse(Samples.payload(Samples.tracked(77), compiled))
        guard case .string(let link) = payload["link"], case .string(let id) = payload["trackingId"] else {
            Issue.record("\(payload)")
            return
        }
        let ofLink = opener.open(link.dropFirst("https://links.example/r/".count)).trackingID
        let ofMessage = opener.open(id).trackingID
        #expect(ofLink?.link == Message.ownLinkIndex)
        #expect(ofMessage?.link == .message)
        for opened in [ofLink, ofMessage] {
            #expect(opened?.recipient.rawValue == 77)
            #expect(opened?.message.rawValue == 0x33b2_e7a1_c04f_1d2a)
            #expect(opened?.expiry.secondsSince1970 == 1_811_030_400)
        }
    }

    @Test("a payload is appended to what is there", arguments: Samples.formats)
    func appends(_ format: PayloadFormat) throws {
        let compiled = try Samples.compiled(Samples.message(Self.whole), format)
        for decision in [try Samples.tracked(), try Samples.untracked()] {
            var output = Array("before".utf8)
            compiled.render(
                .together(decision), of: try #require(MessageID(rawValue: 0x33b2_e7a1_c04f_1d2a)),
                expiry: LinkExpiry(secondsSince1970: 1_811_030_400), sealer: try Samples.sealer(), into: &output)
            #expect(output == Array("before".utf8) + (try Samples.payload(decision, compiled)))
        }
    }

    @Test("whatever the texts, a payload is JSON and says them as they were", arguments: texts, Samples.formats)
    func json(_ text: String, _ format: PayloadFormat) throws {
        var message = Message(name: text)
        message.title = text
        message.body = text
        message.sound = text
        message.category = text
        message.custom = [Message.CustomField(key: "x" + text, value: text)]
        let compiled = try Samples.compiled(message, format)
        for decision in [try Samples.tracked(), try Samples.untracked()] {
            let payload = try JSONValue.parse(Samples.payload(decision, compiled))
            switch format {
            case .dynamics365(.ios):
                #expect(payload["aps", "alert", "title"] == .string(text))
                #expect(payload["aps", "alert", "body"] == .string(text))
                #expect(payload["aps", "sound"] == .string(text))
                #expect(payload["aps", "category"] == .string(text))
                #expect(payload["x" + text] == .string(text))
            case .dynamics365(.android):
                #expect(payload["data", "title"] == .string(text))
                #expect(payload["data", "body"] == .string(text))
                #expect(payload["data", "x" + text] == .string(text))
            default: #expect(payload["link"] == nil)
            }
        }
    }

    static let texts = [
        "", "\"", "\\", "\\\"", "a\nb\r\tc", "\u{0}\u{1}\u{1F}\u{7F}", "\u{2028}\u{2029}", "😀👩‍💻", "é e\u{301}",
        "</script>", "{\"k\":1}", "\u{FEFF}\u{FFFD}", "%s%n${x}", String(repeating: "\"", count: 200),
    ]

    @Test(
        "numbers are numbers in APNs, and every value is a string in FCM data")
    func types() throws {
        let message = try Samples.message(Self.whole)
        let ios = try JSONValue.parse(Samples.payload(Samples.tracked(), Samples.compiled(message, .dynamics365(.ios))))
        #expect(ios["aps", "badge"] == .integer(2))
        #expect(ios["aps", "content-available"] == .integer(1))
        #expect(ios["aps", "mutable-content"] == .integer(1))
        let android = try JSONValue.parse(
            Samples.payload(Samples.tracked(), Samples.compiled(message, .dynamics365(.android))))
        guard case .object(let root) = android, case .object(let data) = root["data"] else {
            Issue.record("\(android)")
            return
        }
        #expect(root.count == 1, "no notification part")
        for member in data.members {
            guard case .string = member.value else {
                Issue.record("\(member.name) is no string")
                continue
            }
        }
    }
}
