import Consent
import Formats
import Identifiers
import JSON
import Messages
import Testing
import TrackingIDs

@Suite struct DevicePayloadTests {
    static let whole = #"""
        {"name":"n","title":"T","body":"B","imageUrl":"https://cdn.example/i.png","link":"https://shop.example/",
        "badge":2,"sound":"default","category":"C","contentAvailable":true,"custom":{"k":"v"},
        "actions":[{"id":"a","title":"A","link":"https://shop.example/a"},{"id":"b","title":"B"},
        {"id":"c","title":"C","link":"https://shop.example/c"}]}
        """#

    private func texts(_ decisions: [RecordedDecision], _ compiled: CompiledMessage) throws -> [String] {
        try decisions.map { String(decoding: try Samples.payload($0, compiled), as: UTF8.self) }
    }

    @Test("payloads of untracked recipients are the same bytes for everybody", arguments: DeviceSamples.formats)
    func untracked(_ format: PayloadFormat) throws {
        let compiled = try Samples.compiled(Samples.message(Self.whole), format)
        let decisions = try [1, 2, 0xFFFF_FFFF_FFFF_FFFF, nil].map { try Samples.untracked($0) }
        let texts = try texts(decisions, compiled)
        #expect(Set(texts).count == 1)
        #expect(!texts[0].contains("links.example"), "nothing of the redirect host")
        #expect(!texts[0].contains("/r/"))
        #expect(texts[0].firstMatch(of: /[A-Za-z0-9_-]{54}/) == nil, "no tracking ID")
        #expect(texts[0].firstMatch(of: /[0-9a-f]{16}/) == nil, "neither in hexadecimal, nor the message's id")
        #expect(!texts[0].contains("_dId"))
        #expect(!texts[0].contains("_mId"))
    }

    @Test("an untracked payload does not tell by which delivery it came", arguments: DeviceSamples.formats)
    func delivery(_ format: PayloadFormat) throws {
        let compiled = try Samples.compiled(Samples.message(Self.whole), format)
        let sends: [(UInt64, UInt32)] = [(1, 5), (0x33b2_e7a1_c04f_1d2a, 1_811_030_400)]
        let payloads = try sends.map { message, expiry in
            var output: [UInt8] = []
            compiled.render(
                .together(try Samples.untracked()), of: try #require(MessageID(rawValue: message)),
                expiry: LinkExpiry(secondsSince1970: expiry), sealer: try Samples.sealer(), into: &output)
            return output
        }
        #expect(payloads[0] == payloads[1])
    }

    @Test("payloads of tracked recipients differ in the tracking IDs alone", arguments: DeviceSamples.newFormats)
    func tracked(_ format: PayloadFormat) throws {
        let compiled = try Samples.compiled(Samples.message(Self.whole), format)
        let texts = try texts([Samples.tracked(1), Samples.tracked(2)], compiled)
        let token = /h[0-9a-f]{80}|[A-Za-z0-9_-]{54}/
        #expect(texts[0] != texts[1])
        #expect(texts[0].replacing(token, with: "") == texts[1].replacing(token, with: ""))
        #expect(texts[0].utf8.count == texts[1].utf8.count)
    }

    @Test("a payload is appended to what is there", arguments: DeviceSamples.newFormats)
    func appends(_ format: PayloadFormat) throws {
        let compiled = try Samples.compiled(Samples.message(Self.whole), format)
        for decision in [try Samples.tracked(), try Samples.untracked()] {
            var output = Array("before".utf8)
            compiled.render(
                .together(decision), of: try MessageID(DeviceSamples.messageID),
                expiry: LinkExpiry(secondsSince1970: 1_811_030_400), sealer: try Samples.sealer(), into: &output)
            #expect(output == Array("before".utf8) + (try Samples.payload(decision, compiled)))
        }
    }

    @Test("Android gets FCM data, every value a string, and no notification", arguments: DeviceSamples.formats)
    func strings(_ format: PayloadFormat) throws {
        switch format {
        case .dynamics365(.ios), .adobeCampaign(.ios), .bird(.ios), .email, .plain: return
        case .dynamics365(.android), .adobeCampaign(.android), .bird(.android): break
        }
        let compiled = try Samples.compiled(Samples.message(Self.whole), format)
        for decision in [try Samples.tracked(), try Samples.untracked()] {
            guard case .object(let root) = try JSONValue.parse(Samples.payload(decision, compiled)),
                case .object(let data) = root["data"]
            else {
                Issue.record("no data")
                continue
            }
            #expect(root.count == 1)
            for member in data.members {
                guard case .string = member.value else {
                    Issue.record("\(member.name) is no string")
                    continue
                }
            }
        }
    }
}

@Suite struct AdobeCampaignPayloadTests {
    @Test(
        "_mId opens to the message and the recipient, and _dId is the message",
        arguments: PayloadFormat.Platform.allCases)
    func identifiers(_ platform: PayloadFormat.Platform) throws {
        let compiled = try Samples.compiled(Samples.message(DevicePayloadTests.whole), .adobeCampaign(platform))
        let payload = try JSONValue.parse(Samples.payload(Samples.tracked(), compiled))
        let fields = payload["data"] ?? payload
        #expect(fields["_dId"] == .string(DeviceSamples.messageID))
        #expect(fields["_mId"] == .string("h" + DeviceSamples.hexadecimal))
        #expect(fields["_acsDeliveryTracking"] == .string("on"))
    }

    @Test("_dId has no leading zeros, and the payload is then shorter, never longer")
    func shortID() throws {
        let compiled = try Samples.compiled(Samples.message(#"{"name":"n"}"#), .adobeCampaign(.ios))
        let lengths = try [(UInt64(1), "1"), (0xABC, "abc"), (UInt64(Int64.max), "7fffffffffffffff")].map { id, text in
            var output: [UInt8] = []
            compiled.render(
                .together(try Samples.tracked()), of: try #require(MessageID(rawValue: id)),
                expiry: LinkExpiry(secondsSince1970: 0), sealer: try Samples.sealer(), into: &output)
            #expect(try JSONValue.parse(output)["_dId"] == .string(text))
            return output.count
        }
        #expect(lengths[0] == lengths[2] - 15)
        #expect(lengths[1] == lengths[2] - 13)
    }

    @Test("a link that stands raw is reported all the same", arguments: [#""deepLink":true,"#, ""])
    func raw(_ flag: String) throws {
        let link = flag.isEmpty ? "shop://item/7" : "https://shop.example/open"
        let message = try Samples.message("{\"name\":\"n\",\(flag)\"link\":\"\(link)\"}")
        let compiled = try Samples.compiled(message, .adobeCampaign(.ios))
        let payload = try JSONValue.parse(Samples.payload(Samples.tracked(), compiled))
        #expect(payload["uri"] == .string(link))
        #expect(payload["originalLink"] == .string(link))
        #expect(payload["_mId"] == .string("h" + DeviceSamples.hexadecimal))
    }
}

@Suite struct BirdPayloadTests {
    private func bird(_ message: Message, _ platform: PayloadFormat.Platform, _ decision: RecordedDecision) throws
        -> JSONValue
    {
        let payload = try JSONValue.parse(
            Samples.payload(decision, Samples.compiled(message, .bird(platform))))
        switch platform {
        case .ios: return try #require(payload["bird"])
        case .android:
            guard case .string(let text) = payload["data", "bird"] else {
                Issue.record("no string")
                return .null
            }
            return try JSONValue.parse(Array(text.utf8))
        }
    }

    @Test("Android's string is the object of iOS, whatever the texts", arguments: CompiledMessageTests.texts)
    func sameObject(_ text: String) throws {
        let text = String(text.prefix(50))
        var message = try Samples.message(DevicePayloadTests.whole)
        message.title = text
        message.custom = [.init(key: "x" + text, value: text)]
        message.actions.append(.init(id: text, title: text, link: message.link))
        for decision in [try Samples.tracked(), try Samples.untracked()] {
            let ios = try bird(message, .ios, decision)
            #expect(try bird(message, .android, decision) == ios)
            guard case .string(let custom) = ios["payload"] else {
                Issue.record("no payload")
                continue
            }
            #expect(try JSONValue.parse(Array(custom.utf8))["x" + text] == .string(text))
            guard case .array(let actions) = ios["actions"] else {
                Issue.record("no actions")
                continue
            }
            #expect(actions.last?["identifier"] == .string(text))
            #expect(actions.last?["title"] == .string(text))
        }
    }

    @Test("every tracked button has its own link index", arguments: PayloadFormat.Platform.allCases)
    func buttons(_ platform: PayloadFormat.Platform) throws {
        let message = try Samples.message(DevicePayloadTests.whole)
        let object = try bird(message, platform, Samples.tracked())
        guard case .array(let actions) = object["actions"], let tap = object["action"] else {
            Issue.record("\(object)")
            return
        }
        let opener = try DeviceSamples.opener()
        let links = try ([tap] + actions).map { action -> UInt16? in
            guard case .string(let url) = action["url"] else { return nil }
            #expect(action["uri"] == .string(url))
            let opened = opener.open(url.dropFirst("https://links.example/r/".count)).trackingID
            return try #require(opened).link.rawValue
        }
        #expect(links == [1, 2, nil, 4])
        #expect(Set(links.compactMap(\.self)) == Set(message.links.filter(\.isTracked).map(\.index.rawValue)))
        #expect(object["trackingId"] == .string(DeviceSamples.trackingID))
    }

    @Test("a message's own category wins over Bird's")
    func category() throws {
        for (own, expected) in [(nil, "BIRD"), ("C", "C")] {
            var message = Message(name: "n")
            message.category = own
            let payload = try JSONValue.parse(
                Samples.payload(Samples.untracked(), Samples.compiled(message, .bird(.ios))))
            #expect(payload["aps", "category"] == .string(expected))
        }
    }
}
