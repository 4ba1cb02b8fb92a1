import HTTPTypes
import JSON
import Testing

@testable import HTTPAPI

/// What recipients would get, without anything that is stored.
@Suite struct PreviewRoutesTests {
    private static let path = "/v1/orgs/acme/payloads"
    private static let message = #"{"name":"sale","link":"https://shop.example/a"}"#
    private static let placeholder = "preview" + String(repeating: "0", count: 47)

    private func body(_ preview: String = "true", message: String = #""message":\#(message)"#) -> String {
        #"{\#(message),"format":"plain","preview":\#(preview),"recipients":["ana","bo"]}"#
    }

    /// How many entries the ledger has, and how many messages and decisions there are.
    private func counts(_ listener: PrivateListenerFixture) async throws -> [String?] {
        let decisions = try await listener.get("/v1/orgs/acme/decisions")["decisions"]?.items.count
        let messages = try await listener.get("/v1/orgs/acme/messages")["messages"]?.items.count
        return [
            try await listener.get("/v1/orgs/acme/ledger")["size"]?.text, decisions.map { "\($0)" },
            messages.map { "\($0)" },
        ]
    }

    @Test("each recipient's payload is shown with its reason, and nothing is stored")
    func json() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            try await listener.consent("ana", "given")
            let before = try await counts(listener)
            let answer = try await listener.post(Self.path, body())
            #expect(answer.status == 200)
            #expect(answer["message"] == .null)
            #expect(
                answer["payloads"]?.text
                    == #"[{"recipient":"ana","tracked":true,"decision":{"id":null,"outcome":"tracked","#
                    + #""reason":"consentGiven"},"payload":{"link":"https://links.example/r/\#(Self.placeholder)","#
                    + #""originalLink":"https://shop.example/a","trackingId":"\#(Self.placeholder)"}},{"recipient":"bo","tracked":false,"#
                    + #""decision":{"id":null,"outcome":"untracked","reason":"noConsentRecord"},"#
                    + #""payload":{"link":"https://shop.example/a","originalLink":"https://shop.example/a","#
                    + #""trackingId":"00000000-0000-0000-0000-000000000000"}}]"#)
            #expect(try await counts(listener) == before)
            #expect(before.allSatisfy { $0 != nil })
            #expect(try listener.opened(Self.placeholder) == nil)
        }
    }

    @Test("a message that is stored is shown with its id, however it is named")
    func stored() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let id = try await listener.post("/v1/orgs/acme/messages", Self.message)["id"]?.text ?? ""
            let before = try await counts(listener)
            for message in [#""message":\#(Self.message)"#, #""messageId":"\#(id)""#] {
                #expect(try await listener.post(Self.path, body(message: message))["message"]?.text == id)
            }
            #expect(try await listener.post(Self.path, body(message: #""messageId":"7""#)).pointers == ["/messageId"])
            #expect(try await counts(listener) == before)
        }
    }

    @Test("erased recipients and messages without tracking are judged as in composing")
    func judged() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization(enforcement: "nonRestrictive")
            try await listener.consent("ana", "given")
            _ = try await listener.post("/v1/orgs/acme/recipients/erase", #"{"recipient":"ana"}"#)
            func reasons(_ message: String) async throws -> [String?] {
                let answer = try await listener.post(Self.path, body(message: message))
                return (answer["payloads"]?.items ?? []).map { $0["decision"]?["reason"]?.text }
            }
            #expect(try await reasons(#""message":\#(Self.message)"#) == ["recipientErased", "notOptedOut"])
            #expect(
                try await reasons(#""message":{"name":"n","tracking":false}"#)
                    == ["trackingOffForMessage", "trackingOffForMessage"])
        }
    }

    @Test("as lines, asked for or sent, a preview has the same entries and no id of a message in its head")
    func lines() async throws {
        let type = "application/x-ndjson"
        let head = try #require(HTTPField.Name("ConsentLink-Message"))
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            try await listener.consent("ana", "given")
            let entries = try await listener.post(Self.path, body())["payloads"]?.items ?? []
            let before = try await counts(listener)
            let asked = try await listener.post(Self.path, body(), headers: [.accept: type])
            #expect(asked.lines == entries && asked.headers[head] == nil)
            let order = #"{"message":\#(Self.message),"format":"plain","preview":true}"#
            let sent = try await listener.post(Self.path, order + "\n\"ana\"\n7\n\"bo\"\n", type: type)
            #expect(sent.lines.map { $0["error"] == nil } == [true, false, true])
            #expect(sent.lines.filter { $0["error"] == nil } == entries)
            #expect(sent.headers[head] == nil)
            #expect(try await counts(listener) == before)
            let id = try await listener.post("/v1/orgs/acme/messages", Self.message)["id"]?.text
            #expect(
                try await listener.post(Self.path, body(), headers: [.accept: type]).headers[head] == id)
        }
    }

    @Test("an Idempotency-Key beside a preview is ignored, whatever it was used for")
    func idempotency() async throws {
        let key = try #require(HTTPField.Name("Idempotency-Key"))
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let headers: HTTPFields = [key: "\"k\""]
            #expect(try await listener.post(Self.path, body(), headers: headers)["message"] == .null)
            let composed = try await listener.post(Self.path, body("false"), headers: headers)
            #expect(composed.status == 200 && composed["message"] != .null)
            let shown = try await listener.post(Self.path, body(), headers: headers)
            #expect(shown["payloads"]?.items.first?["decision"]?["id"] == .null)
            #expect(try await listener.post(Self.path, body("null"), headers: headers).status == 422)
        }
    }

    @Test("what composing refuses, a preview refuses too")
    func refused() async throws {
        let long = String(repeating: "x", count: 5000)
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            for (body, pointers) in [
                (body("1"), ["/preview"]), (body(#""true""#), ["/preview"]),
                (body(message: #""message":{"name":"n","link":"javascript:1"}"#), ["/message/link"]),
                (#"{"message":\#(Self.message),"format":"plain","preview":true}"#, ["/recipients"]),
                (
                    #"{"message":{"name":"n","body":"\#(long)"},"format":"bird","platform":"ios","preview":true,"#
                        + #""recipients":["a"]}"#, ["/message"]
                ),
            ] {
                let answer = try await listener.post(Self.path, body)
                #expect(answer.status == 422 && answer.pointers == pointers, "\(answer.body)")
            }
        }
    }
}
