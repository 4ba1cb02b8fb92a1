import HTTPTypes
import JSON
import Testing

@testable import HTTPAPI

/// Mail that its sender made for one recipient.
@Suite struct RewriteRoutesTests {
    private static let path = "/v1/orgs/acme/rewrites"
    private static let lines = "application/x-ndjson"
    private static let html =
        #"<p><a href="https://shop.example/a">A</a> <a href="mailto:x@y.example">Mail</a></p>"#

    /// Gives `body` a listener with a message, and its id. Ana consented, and nobody else said anything.
    private func with(_ body: (PrivateListenerFixture, String) async throws -> Void) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            try await listener.consent("ana", "given")
            let made = try await listener.post("/v1/orgs/acme/messages", #"{"name":"sale"}"#)
            try await body(listener, made["id"]?.text ?? "")
        }
    }

    private static func mail(_ recipient: String, _ message: String, _ members: String = "") -> String {
        let quoted = JSONWriter.text(html)
        return #"{"messageId":"\#(message)","recipient":"\#(recipient)","html":\#(quoted)\#(members)}"#
    }

    @Test("the links of who consented lead through the redirect, and each link is told with what became of it")
    func tracked() async throws {
        try await with { listener, message in
            let answer = try await listener.post(Self.path, Self.mail("ana", message))
            #expect(answer.status == 200)
            #expect(answer["tracked"]?.text == "true" && answer["decision", "reason"]?.text == "consentGiven")
            let html = answer["html"]?.text ?? ""
            #expect(html.contains("https://links.example/r/") && !html.contains("shop.example"))
            #expect(html.contains(#"<a href="mailto:x@y.example">Mail</a></p>"#), "the rest is as it was")
            let links = answer["links"]?.items ?? []
            #expect(links.map { $0["url"]?.text } == ["https://shop.example/a", "mailto:x@y.example"])
            #expect(links.map { $0["index"]?.text } == ["1", "null"])
            #expect(links.map { $0["skipped"]?.text } == ["null", "otherScheme"])
            #expect(links.map { $0["offset"]?.text } == ["12", "51"])
            #expect(links.allSatisfy { $0["where"]?.text == "html" && $0["line"]?.text == "1" })
            #expect(answer["text"] == nil, "what was not sent is not answered")
        }
    }

    @Test("the mail of anybody else comes back byte for byte, and none of its links is stored")
    func untracked() async throws {
        try await with { listener, message in
            let answer = try await listener.post(
                Self.path, Self.mail("bo", message, #","text":"https://shop.example/t""#))
            #expect(answer["tracked"]?.text == "false" && answer["decision", "reason"]?.text == "noConsentRecord")
            #expect(answer["html"]?.text == Self.html && answer["text"]?.text == "https://shop.example/t")
            #expect((answer["links"]?.items ?? []).map { $0["index"] } == [.null, .null, .null])
            let report = try await listener.get("/v1/orgs/acme/messages/\(message)")
            #expect(report["links"]?.items == [])
        }
    }

    @Test("links that the message has keep their indexes when fewer hosts are allowed", arguments: [false, true])
    func narrowed(inLines: Bool) async throws {
        try await with { listener, message in
            #expect(try await listener.post(Self.path, Self.mail("ana", message)).status == 200)
            let other = try await listener.ask(.patch, "/v1/orgs/acme", pieces: [#"{"targetHosts":["other.example"]}"#])
            #expect(other.status == 200)
            let html = Self.html + #"<a href="https://shop.example/new">B</a>"#
            let mail = #""recipient":"ana","html":\#(JSONWriter.text(html))"#
            let answer: JSONValue?
            if inLines {
                let order = #"{"messageId":"\#(message)","html":\#(JSONWriter.text(html))}"#
                let lines = "\(order)\n{\(mail)}\n{\"recipient\":\"ana\"}\n"
                let answers = try await listener.post(Self.path, lines, type: Self.lines).lines
                #expect(answers.count == 2 && answers.first?["skipped"] == answers.last?["skipped"])
                #expect(answers.last?["html"]?.text.contains("https://shop.example/a") == false)
                answer = answers.first
            } else {
                let one = try await listener.post(Self.path, #"{"messageId":"\#(message)",\#(mail)}"#)
                #expect(one["links"]?.items.map { $0["index"]?.text } == ["1", "null", "null"])
                #expect(one["links"]?.items.last?["skipped"]?.text == "notATarget")
                answer = one.json
            }
            let rewritten = answer?["html"]?.text ?? ""
            #expect(rewritten.contains("https://links.example/r/") && !rewritten.contains("https://shop.example/a"))
            #expect(rewritten.contains("https://shop.example/new"), "what is new must keep to today's hosts")
        }
    }

    @Test(
        "what does not fit is named by its pointer, and nothing is decided",
        arguments: [
            (#"{"recipient":"ana","html":""}"#, "/messageId"),
            (#"{"messageId":"x","recipient":"ana","html":""}"#, "/messageId"),
            (#"{"messageId":"3357d7d9f4000001","recipient":"ana","html":""}"#, "/messageId"),
            (#"{"messageId":"$","html":""}"#, "/recipient"), (#"{"messageId":"$","recipient":"ana"}"#, "/html"),
            (#"{"messageId":"$","recipient":"ana","html":1}"#, "/html"),
            (#"{"messageId":"$","recipient":"ana","text":"","subject":"x"}"#, "/subject"),
        ])
    func refused(_ body: String, _ pointer: String) async throws {
        try await with { listener, message in
            let answer = try await listener.post(Self.path, body.replacing("$", with: message))
            #expect(answer.status == 422 && answer.pointers == [pointer], "\(answer.body)")
            #expect(try await listener.get("/v1/orgs/acme/decisions")["decisions"]?.items == [])
        }
    }

    @Test("a repeated request has the decision of the first and, once consent has ended, the mail as it was sent")
    func repeated() async throws {
        try await with { listener, message in
            let key: HTTPFields = [.known("Idempotency-Key"): "\"once\""]
            let body = Self.mail("ana", message)
            let first = try await listener.post(Self.path, body, headers: key)
            // The router takes another spelling of the path for the same route.
            let again = try await listener.post("/v1//orgs/acme/rewrites/", body, headers: key)
            #expect(again.status == 200 && again.body == first.body && again["ended"] == nil)
            try await listener.consent("ana", "withdrawn")
            let after = try await listener.post(Self.path, body, headers: key)
            #expect(after["tracked"]?.text == "false" && after["ended"]?.text == "consentWithdrawn")
            #expect(after["decision"] == first["decision"] && after["html"]?.text == Self.html)
            #expect(try await listener.get("/v1/orgs/acme/decisions")["decisions"]?.items.count == 1)
        }
    }

    @Test("lines are answered in their places, take the bodies of the order where they have none, and share links")
    func byLine() async throws {
        try await with { listener, message in
            let order = #"{"messageId":"\#(message)","text":"See https://shop.example/b"}"#
            let lines = [
                order, #"{"recipient":"ana"}"#, #"{"recipient":"bo"}"#, "{", #"{"recipient":""}"#,
                #"{"recipient":"ana","text":"https://shop.example/b https://shop.example/c"}"#,
                #"{"recipient":"cy","text":""}"#,
            ]
            let answer = try await listener.post(Self.path, lines.joined(separator: "\n"), type: Self.lines)
            #expect(answer.status == 200 && answer.headers[.contentType] == Self.lines)
            let found = answer.lines
            #expect(
                found.map { $0["recipient"]?.text ?? $0["error"]?["status"]?.text }
                    == ["ana", "bo", "400", "422", "ana", "cy"])
            #expect(found[0]["text"]?.text.hasPrefix("See https://links.example/r/") == true)
            #expect(found[1]["text"]?.text == "See https://shop.example/b")
            #expect(found[4]["text"]?.text.contains("shop.example") == false)
            #expect(found[5]["text"]?.text == "", "a body of its own, though an empty one")
            #expect(found.map { $0["skipped"] }[0] == .array([]))
            let stored = try await listener.get("/v1/orgs/acme/messages/\(message)")
            let urls = (stored["links"]?.items ?? []).map { $0["url"]?.text }
            #expect(urls == ["https://shop.example/b", "https://shop.example/c"], "each once")
        }
    }

    @Test(
        "an order of lines that does not fit is the answer of its own",
        arguments: [
            ("", 400, []), ("{}", 422, ["/messageId"]), (#"{"messageId":"3357d7d9f4000001"}"#, 422, ["/messageId"]),
            (#"{"messageId":"$","recipient":"ana"}"#, 422, ["/recipient"]),
        ] as [(String, Int, [String])])
    func order(_ order: String, _ status: Int, _ pointers: [String]) async throws {
        try await with { listener, message in
            let body = order.replacing("$", with: message) + "\n" + #"{"recipient":"ana"}"#
            let answer = try await listener.post(Self.path, body, type: Self.lines)
            #expect(answer.status == status && answer.pointers == pointers)
            #expect(answer.headers[.contentType] == "application/problem+json")
        }
    }
}

extension JSONWriter {
    /// A string as JSON has it.
    static func text(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
