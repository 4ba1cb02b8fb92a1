import Consent
import Formats
import Identifiers
import JSON
import Messages
import Testing
import TrackingIDs

/// The address of a recipient's page in every format that has a place for it.
@Suite struct PreferencesPayloadTests {
    private static let formats = DeviceSamples.formats
    private static let all = formats + [.email, .plain]
    private static let common = "https://links.example/preferences/acme"
    private static let own = "https://links.example/p/\(DeviceSamples.trackingID)"

    /// In `custom`, with what JSON has to escape around it, in `html` and in `text`.
    private static let json = #"""
        {"name":"n","title":"T","link":"https://shop.example/",
        "custom":{"page":"{{consentlink.preferences}}","both":"\"a\\ {{ consentlink.preferences }}\n{{name}}"},
        "html":"<a href='%7B%7Bconsentlink.preferences%7D%7D'>{{consentlink.preferences}}</a>",
        "text":"Preferences: {{consentlink.preferences}}"}
        """#

    private func text(_ tracked: Bool, _ format: PayloadFormat, _ recipient: UInt64? = nil) throws -> String {
        let compiled = try Samples.compiled(Samples.message(Self.json), format)
        let person = recipient ?? 0x9f3c_51d0_7be2_648a
        let decision = try tracked ? Samples.tracked(person) : Samples.untracked(recipient)
        return String(decoding: try Samples.payload(decision, compiled), as: UTF8.self)
    }

    /// The custom values of a payload, wherever the format has them.
    private func custom(_ text: String) throws -> (page: JSONValue?, both: JSONValue?) {
        let root = try JSONValue.parse(Array(text.utf8))
        var fields = root["data", "page"] == nil ? root : root["data"] ?? root
        if case .string(let bird)? = root["data", "bird"] { fields = try JSONValue.parse(Array(bird.utf8)) }
        if let bird = root["bird"] { fields = bird }
        if case .string(let payload)? = fields["payload"] { fields = try JSONValue.parse(Array(payload.utf8)) }
        return (fields["page"], fields["both"])
    }

    @Test("a custom value has the recipient's own page, or the page for all, in every format", arguments: formats)
    func values(_ format: PayloadFormat) throws {
        for (tracked, page) in [(true, Self.own), (false, Self.common)] {
            let found = try custom(text(tracked, format))
            #expect(found.page == .string(page))
            #expect(found.both == .string("\"a\\ \(page)\n{{name}}"))
        }
    }

    @Test("untracked payloads are the same bytes for everybody and have no ID in them", arguments: all)
    func untracked(_ format: PayloadFormat) throws {
        let texts = try [1, 2, 0xFFFF_FFFF_FFFF_FFFF, nil].map { try text(false, format, $0) }
        #expect(Set(texts).count == 1)
        #expect(texts[0].firstMatch(of: /[A-Za-z0-9_-]{54}|[0-9a-f]{80}/) == nil)
        #expect(!texts[0].contains("consentlink.preferences"))
        let addresses = texts[0].ranges(of: "links.example").count
        #expect(addresses == texts[0].ranges(of: Self.common).count, "the service's host is in no other place")
    }

    @Test("payloads of tracked recipients differ in their IDs alone, and all are as long as is said", arguments: all)
    func tracked(_ format: PayloadFormat) throws {
        let texts = try [UInt64(1), 2].map { try text(true, format, $0) }
        let token = /h[0-9a-f]{80}|[A-Za-z0-9_-]{54}/
        #expect(texts[0] != texts[1])
        #expect(texts[0].replacing(token, with: "") == texts[1].replacing(token, with: ""))
        let lengths = try Samples.compiled(Samples.message(Self.json), format).lengths
        for length in [texts[0].utf8.count, texts[1].utf8.count, try text(false, format).utf8.count] {
            #expect(lengths.contains(length))
        }
    }

    @Test("a carrier's limit is held by the larger rendering, whichever it is", arguments: formats)
    func limits(_ format: PayloadFormat) throws {
        let long = try OrganizationID(String(repeating: "o", count: 64))
        func compiled(_ organization: OrganizationID, _ size: Int) throws -> CompiledMessage {
            var message = Message(name: "n")
            let pages = String(repeating: PreferencesPlaceholders.spelling, count: 20)
            message.custom = [Message.CustomField(key: "k", value: pages + String(repeating: "a", count: size))]
            return try CompiledMessage(
                message, format: format, origin: Samples.origin(), organization: organization, at: .root)
        }
        for (organization, trackedIsLonger) in [(try OrganizationID("o"), true), (long, false)] {
            let lengths = try compiled(organization, 0).lengths
            let tracked = try Samples.payload(Samples.tracked(), compiled(organization, 0)).count
            #expect((tracked == lengths.upperBound) == trackedIsLonger)
            let room = 4096 - lengths.upperBound
            #expect(try compiled(organization, room).lengths.upperBound == 4096)
            let error = #expect(throws: BodyProblems.self) { try compiled(organization, room + 1) }
            #expect(error?.problems.first?.detail.contains("4097") == true)
        }
    }

    @Test("a preview leads nowhere for those who are tracked, and is the payload for all others", arguments: all)
    func preview(_ format: PayloadFormat) throws {
        let compiled = try Samples.compiled(Samples.message(Self.json), format)
        var shown: [UInt8] = []
        compiled.preview(.together(.consentGiven), of: nil, into: &shown)
        #expect(try shown.count == text(true, format).utf8.count)
        let preview = String(decoding: shown, as: UTF8.self)
        #expect(!preview.contains("/p/AQ") && preview.contains("/p/preview000") == (format != .plain))
        shown = []
        compiled.preview(.together(.consentRefused), of: nil, into: &shown)
        #expect(try String(decoding: shown, as: UTF8.self) == text(false, format))
    }

    @Test("who is tracked for one activity alone has a page of their own", arguments: formats + [.email])
    func oneActivity(_ format: PayloadFormat) throws {
        var message = try Samples.message(Self.json)
        message.purposes = MessagePurposes(clicks: .tracking, opens: try Purpose("open-tracking"))
        let compiled = try Samples.compiled(message, format)
        for (clicks, opens) in [(true, false), (false, true), (false, false)] {
            var output: [UInt8] = []
            compiled.render(
                .apart(
                    clicks: try clicks ? Samples.tracked() : Samples.untracked(),
                    opens: try opens ? Samples.tracked() : Samples.untracked()),
                of: try MessageID(DeviceSamples.messageID), expiry: LinkExpiry(secondsSince1970: 1_811_030_400),
                sealer: try Samples.sealer(), into: &output)
            let text = String(decoding: output, as: UTF8.self)
            #expect(text.contains(Self.own) == (clicks || opens))
            #expect(text.contains(Self.common) == !(clicks || opens))
        }
    }

    @Test("a mail says whose it is, and where their page is, beside its bodies")
    func mail() throws {
        for (tracked, page, id) in [
            (true, Self.own, DeviceSamples.trackingID), (false, Self.common, "00000000-0000-0000-0000-000000000000"),
        ] {
            let payload = try JSONValue.parse(Array(text(tracked, .email).utf8))
            #expect(payload["html"] == .string("<a href='\(page)'>\(page)</a>"))
            #expect(payload["text"] == .string("Preferences: \(page)"))
            #expect(payload["trackingId"] == .string(id))
            #expect(payload["preferencesUrl"] == .string(page))
        }
    }

    @Test(
        "a mail without the placeholder has no preferencesUrl, whatever stands in other members",
        arguments: [#""text":"x""#, #""html":"{{name}}","custom":{"k":"{{consentlink.preferences}}"}"#])
    func noPlaceholder(_ members: String) throws {
        let compiled = try Samples.compiled(Samples.message(#"{"name":"n",\#(members)}"#), .email)
        for decision in [try Samples.tracked(), try Samples.untracked()] {
            let payload = try JSONValue.parse(Samples.payload(decision, compiled))
            #expect(payload["preferencesUrl"] == nil && payload["trackingId"] != nil)
        }
        let untracked = try Samples.payload(Samples.untracked(), compiled)
        #expect(!String(decoding: untracked, as: UTF8.self).contains("links.example"))
    }
}
