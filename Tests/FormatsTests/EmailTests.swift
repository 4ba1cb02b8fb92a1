import Consent
import Cryptography
import Formats
import Identifiers
import JSON
import Messages
import Testing
import TrackingIDs

@Suite struct EmailTests {
    private static let mail = #"""
        {"name":"n","html":"<p>\"Ünïcode\" \\ <a href='https://shop.example/?a=1&amp;b=2'>a</a>\r\n<b></body>",
        "text":"See https://shop.example/text. Not https+notrack://shop.example/quiet 😀\t","openTracking":true}
        """#

    private func payload(_ decision: RecordedDecision, _ json: String) throws -> JSONValue {
        let compiled = try Samples.compiled(Samples.message(json), .email)
        return try JSONValue.parse(Samples.payload(decision, compiled))
    }

    @Test("an untracked mail is what came in, but for marks")
    func untracked() throws {
        let payload = try payload(Samples.untracked(), Self.mail)
        let message = try Samples.message(Self.mail)
        #expect(payload["html"] == message.html.map { .string($0) })
        #expect(payload["text"] == .string("See https://shop.example/text. Not https://shop.example/quiet 😀\t"))
        #expect(payload["trackingId"] == .string("00000000-0000-0000-0000-000000000000"))
        #expect(payload["preferencesUrl"] == nil)
        #expect(payload["headers"] == .object(JSONObject()))
    }

    @Test("the mark of a link that is not to be tracked is in nobody's mail")
    func marks() throws {
        let mail = #"{"name":"n","html":"<a href='HTTPS+NoTrack://shop.example/a'>a</a>","text":"x"}"#
        for decision in [try Samples.untracked(), try Samples.tracked(77)] {
            #expect(try payload(decision, mail)["html"] == .string("<a href='HTTPS://shop.example/a'>a</a>"))
        }
    }

    @Test("a tracked mail leads through the redirect, each link under its own index, and carries the pixel")
    func tracked() throws {
        let key = KeyRing.Key(
            id: 1, secret: SecretBytes(Array(0..<32)), createdAt: Timestamp(secondsSince1970: 1_795_338_000))
        let opener = try TrackingIDOpener(keyRing: KeyRing(keys: [key]))
        let payload = try payload(Samples.tracked(77), Self.mail)
        guard case .string(let html)? = payload["html"], case .string(let text)? = payload["text"] else {
            Issue.record("\(payload)")
            return
        }
        let token = /[A-Za-z0-9_-]{54}/
        #expect(
            html.replacing(token, with: "ID")
                == "<p>\"Ünïcode\" \\ <a href='https://links.example/r/ID'>a</a>\r\n<b>"
                + #"<img src="https://links.example/o/ID.gif" width="1" height="1" alt=""></body>"#)
        #expect(
            text.replacing(token, with: "ID")
                == "See https://links.example/r/ID. Not https://shop.example/quiet 😀\t")
        let indexes = (html + text).matches(of: token).map { opener.open($0.output).trackingID?.link.rawValue }
        #expect(indexes == [1, 0, 2])
    }

    @Test("a body that no mail can be made of is named where it stands in the request", arguments: ["html", "text"])
    func pointer(member: String) throws {
        var message = Message(name: "n")
        let tooLong = String(repeating: "a", count: MessageBody.maximumLength + 1)
        if member == "html" { message.html = tooLong } else { message.text = tooLong }
        let place = JSONPointer.root.appending("message")
        let error = #expect(throws: BodyProblems.self) {
            try Samples.compiled(message, .email, at: place)
        }
        #expect(error?.problems.map(\.pointer) == [place.appending(member)])
    }

    @Test("without openTracking there is no pixel, and without HTML neither")
    func pixel() throws {
        for json in [#"{"name":"n","html":"<p>x"}"#, #"{"name":"n","text":"x","openTracking":true}"#] {
            let compiled = try Samples.compiled(Samples.message(json), .email)
            let text = String(decoding: try Samples.payload(Samples.tracked(), compiled), as: UTF8.self)
            #expect(!text.contains("/o/"))
        }
    }

    @Test("what is not there is left out, and what a mail does not carry is named")
    func members() throws {
        let message = try Samples.message(#"{"name":"n","text":"","title":"T","link":"https://shop.example/"}"#)
        let compiled = try Samples.compiled(message, .email)
        #expect(compiled.unsupportedMembers == ["title", "link"])
        #expect(
            String(decoding: try Samples.payload(Samples.tracked(), compiled), as: UTF8.self)
                == #"{"text":"","trackingId":"\#(DeviceSamples.trackingID)","headers":{}}"#)
        for format in Samples.formats + DeviceSamples.formats {
            let unsupportedMembers = try Samples.compiled(Samples.message(Self.mail), format).unsupportedMembers
            #expect(unsupportedMembers.suffix(3) == ["html", "text", "openTracking"])
            #expect(try !Samples.compiled(message, format).unsupportedMembers.contains("link"))
        }
    }

    @Test("a mail is as long as it is: no carrier counts its bytes")
    func length() throws {
        let text = String(repeating: "x", count: 1 << 20)
        #expect(throws: Never.self) { try payload(Samples.tracked(), #"{"name":"n","html":"\#(text)"}"#) }
    }

    @Test("links that a message was stored without stay as they are")
    func storedLinks() throws {
        var message = try Samples.message(Self.mail)
        message.mailLinks.removeLast()
        let compiled = try Samples.compiled(message, .email)
        let payload = try JSONValue.parse(Samples.payload(Samples.tracked(), compiled))
        #expect(payload["text"] == .string("See https://shop.example/text. Not https://shop.example/quiet 😀\t"))
    }
}
