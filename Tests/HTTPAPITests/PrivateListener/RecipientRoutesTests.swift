import HTTPTypes
import JSON
import Testing

@testable import HTTPAPI

/// Payloads, and what auditors read about them.
@Suite struct RecipientRoutesTests {
    private static let ana = "ana@example.com"

    @Test("a payload is tracked for who consented, and for nobody else")
    func payloads() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            try await listener.consent(Self.ana, "given")
            try await listener.consent("bo@example.com", "withdrawn")
            let composed = try await listener.compose([Self.ana, "bo@example.com", "cy@example.com"])
            #expect(composed.status == 200)
            let payloads = composed["payloads"]?.items ?? []
            #expect(payloads.map { $0["tracked"]?.text } == ["true", "false", "false"])
            #expect(
                payloads.map { $0["decision"]?["reason"]?.text }
                    == ["consentGiven", "consentWithdrawn", "noConsentRecord"])
            #expect(payloads[0]["payload"]?["trackingId"]?.text.isEmpty == false)
            #expect(payloads[1]["payload"]?["trackingId"]?.text == "00000000-0000-0000-0000-000000000000")
            #expect(payloads[1]["payload"] == payloads[2]["payload"], "the untracked are not told apart")
            #expect(payloads[0]["payload"] != payloads[1]["payload"])
        }
    }

    @Test("payloads as lines say the same, with the message in a header")
    func payloadLines() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let lines = try await listener.compose(
                [Self.ana, "bo@example.com"], headers: [.accept: "application/x-ndjson"])
            #expect(lines.status == 200)
            #expect(lines.headers[.contentType]?.hasPrefix("application/x-ndjson") == true)
            #expect(lines.lines.map { $0["recipient"]?.text } == [Self.ana, "bo@example.com"])
            let message = HTTPField.Name("ConsentLink-Message").flatMap { lines.headers[$0] }
            #expect(message?.isEmpty == false)
        }
    }

    @Test(
        "what cannot be composed is named",
        arguments: [
            (#""format":"plain","recipients":["ana"]"#, "/message"),
            (
                #""message":{"name":"x"},"messageId":"3357d7d9f4000001","format":"plain","recipients":["a"]"#,
                "/messageId"
            ),
            (#""message":{"name":"x"},"recipients":["ana"]"#, "/format"),
            (#""message":{"name":"x"},"format":"fax","recipients":["ana"]"#, "/format"),
            (#""message":{"name":"x"},"format":"plain","recipients":[]"#, "/recipients"),
            (#""message":{"name":"x"},"format":"plain","recipients":["ana",""]"#, "/recipients/1"),
            (
                #""message":{"name":"x","link":"javascript:alert(1)"},"format":"plain","recipients":["ana"]"#,
                "/message/link"
            ),
            (#""message":{"name":"x"},"format":"dynamics365","recipients":["ana"]"#, "/platform"),
            (#""message":{},"format":"plain","recipients":["ana"]"#, "/message/name"),
        ])
    func refusedOrder(_ members: String, _ pointer: String) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let answer = try await listener.post("/v1/orgs/acme/payloads", "{\(members)}")
            #expect(answer.status == 422)
            #expect(answer.pointers == [pointer])
            #expect(try await listener.get("/v1/orgs/acme/decisions")["decisions"]?.items == [], "nothing was decided")
        }
    }

    @Test("a repeated request is answered with what it made, and another body under its key is refused")
    func idempotent() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let name = try #require(HTTPField.Name("Idempotency-Key"))
            let first = try await listener.compose([Self.ana], headers: [name: "\"a\""])
            try await listener.consent(Self.ana, "given")
            let again = try await listener.compose([Self.ana], headers: [name: "\"a\""])
            #expect(again.status == 200)
            #expect(again.body == first.body, "as it was decided then")
            let other = try await listener.compose(["bo"], headers: [name: "\"a\""])
            #expect(other.status == 422)
            #expect(try await listener.get("/v1/orgs/acme/decisions")["decisions"]?.items.count == 1)
            let unquoted = try await listener.compose([Self.ana], headers: [name: "\"unfinished"])
            #expect(unquoted.status == 422)
        }
    }

    @Test(
        "a malformed Idempotency-Key is refused before the body is looked at",
        arguments: ["payloads", "consents", "messages", "rewrites"])
    func malformedKey(_ noun: String) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let name = try #require(HTTPField.Name("Idempotency-Key"))
            // A body that would be refused otherwise: of another type, and no JSON.
            let answer = try await listener.post(
                "/v1/orgs/acme/\(noun)", "{", type: "text/plain", headers: [name: "unquoted"])
            #expect(answer.status == 422)
            #expect(answer["detail"]?.text.contains("Idempotency-Key") == true)
        }
    }

    @Test("decisions are found by what they are, page by page, in each type")
    func decisions() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            try await listener.consent(Self.ana, "given")
            let composed = try await listener.compose([Self.ana] + (1...4).map { "p\($0)@example.com" })
            let path = "/v1/orgs/acme/decisions"
            let tracked = try await listener.get(path + "?outcome=tracked")
            #expect(tracked["decisions"]?.items.map { $0["recipient"]?.text } == [Self.ana])
            #expect(tracked["next"] == .null)
            #expect(try await listener.get(path + "?reason=noConsentRecord")["decisions"]?.items.count == 4)
            #expect(
                try await listener.get(path + "?message=\(composed["message"]?.text ?? "")")["decisions"]?.items.count
                    == 5)
            #expect(try await listener.get(path + "?from=2026-11-23T00:00:00Z")["decisions"]?.items == [])

            var found: [String] = []
            var after = ""
            repeat {
                let page = try await listener.get(path + "?limit=2" + (after.isEmpty ? "" : "&after=\(after)"))
                found += (page["decisions"]?.items ?? []).map { $0["id"]?.text ?? "" }
                after = page["next"] == .null ? "" : page["next"]?.text ?? ""
            } while !after.isEmpty && found.count < 10
            #expect(found.count == 5 && Set(found).count == 5)
            #expect(found == found.sorted())

            let lines = try await listener.get(path, accept: "application/x-ndjson")
            #expect(lines.lines.map { $0["id"]?.text ?? "" } == found)
            let csv = try await listener.get(path, accept: "text/csv;q=0.9, application/json;q=0.1")
            #expect(csv.headers[.contentType]?.hasPrefix("text/csv") == true)
            #expect(csv.body.split(whereSeparator: \.isNewline).count == 6)
            let about = try await listener.post(path + "/query", #"{"recipient":"ANA@example.com"}"#)
            #expect(about["decisions"]?.items.count == 1, "spellings of one address are one recipient")
        }
    }

    @Test("a decision is told with its rule, its record and a proof that the ledger has it")
    func decision() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            try await listener.consent(Self.ana, "given")
            let composed = try await listener.compose([Self.ana])
            let id = composed["payloads"]?.items.first?["decision"]?["id"]?.text ?? ""
            let answer = try await listener.get("/v1/orgs/acme/decisions/\(id)")
            #expect(answer.status == 200)
            #expect(answer["recipient"]?.text == Self.ana)
            #expect(answer["policy", "rule"]?.text.isEmpty == false)
            #expect(answer["consentRecord", "state"]?.text == "given")
            #expect(answer["proof"]?.text.hasPrefix("c2sp.org/tlog-proof@v1\n") == true)
            let proof = try await listener.get("/v1/orgs/acme/decisions/\(id)/proof")
            #expect(proof.headers[.contentType] == "text/plain; charset=utf-8")
            #expect(proof.body.hasPrefix("c2sp.org/tlog-proof@v1\n"))
            let record = answer["consent"]?.text ?? ""
            #expect(try await listener.get("/v1/orgs/acme/consents/\(record)/proof").status == 200)
            let ledger = try await listener.get("/v1/orgs/acme/ledger")
            #expect(ledger["origin"]?.text == "links.example/acme")
            #expect(ledger["closed"] == .null)
            let checkpoint = try await listener.get("/v1/orgs/acme/ledger/checkpoint")
            #expect(checkpoint.body.hasPrefix("links.example/acme\n\(ledger["size"]?.text ?? "?")\n"))
            try await listener.organization("other")
            #expect(try await listener.get("/v1/orgs/other/decisions/\(id)").status == 404)
        }
    }

    @Test("an erased recipient is named nowhere, and the decision stays")
    func erased() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            try await listener.consent(Self.ana, "given")
            _ = try await listener.compose([Self.ana])
            let held = try await listener.post("/v1/orgs/acme/recipients/export", #"{"recipient":"\#(Self.ana)"}"#)
            #expect(held.status == 200 && held.body.contains(Self.ana))
            let erased = try await listener.post("/v1/orgs/acme/recipients/erase", #"{"recipient":"\#(Self.ana)"}"#)
            #expect(erased.body == #"{"consents":1,"decisions":1,"interactions":0}"#)
            let decisions = try await listener.get("/v1/orgs/acme/decisions")
            #expect(decisions["decisions"]?.items.map { $0["recipient"] } == [.null])
            let history = try await listener.post("/v1/orgs/acme/consents/query", #"{"recipient":"\#(Self.ana)"}"#)
            #expect(history["history"]?.items == [])
            let composed = try await listener.compose([Self.ana])
            #expect(composed["payloads"]?.items.first?["tracked"]?.text == "false")
        }
    }

    @Test("a message is made once, is read with what it says, and is switched off and on")
    func messages() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let body = #"{"name":"sale","title":"Sale","link":"https://shop.example/a"}"#
            let made = try await listener.post("/v1/orgs/acme/messages", body)
            #expect(made.status == 201)
            let again = try await listener.post("/v1/orgs/acme/messages", body)
            #expect(again.status == 200)
            #expect(again["id"] == made["id"])
            let path = "/v1/orgs/acme/messages/\(made["id"]?.text ?? "")"
            let read = try await listener.get(path)
            #expect(read["content", "title"]?.text == "Sale")
            #expect(read["links"]?.items.first?["url"]?.text == "https://shop.example/a")
            #expect(read["disabled"]?.text == "false")
            #expect(try await listener.post(path + "/disable", "")["disabled"]?.text == "true")
            #expect(try await listener.get(path)["disabled"]?.text == "true")
            #expect(try await listener.post(path + "/enable", "")["disabled"]?.text == "false")
            let report = try await listener.get(path + "/report")
            #expect(report["composed"]?.text == "0")
            try await listener.organization("other")
            #expect(try await listener.get(path.replacing("acme", with: "other")).status == 404)
        }
    }

    @Test("targets of other hosts are refused where an organization names its own")
    func hosts() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let set = try await listener.ask(.patch, "/v1/orgs/acme", pieces: [#"{"targetHosts":["shop.example"]}"#])
            #expect(set.status == 200)
            #expect(try await listener.compose([Self.ana]).status == 200)
            let other = try await listener.post(
                "/v1/orgs/acme/messages", #"{"name":"x","link":"https://evil.example/"}"#)
            #expect(other.status == 422)
            #expect(other.pointers == ["/link"])
        }
    }

    @Test("the feed of interactions begins with a cursor, and ends with one")
    func interactions() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let feed = try await listener.get("/v1/orgs/acme/interactions")
            #expect(feed.body == #"{"interactions":[],"next":null,"cursor":"0"}"#)
            #expect(try await listener.get("/v1/orgs/acme/interactions?after=0").status == 200)
            #expect(try await listener.get("/v1/orgs/acme/interactions?after=x").pointers == ["/after"])
            #expect(try await listener.get("/v1/orgs/acme/interactions?type=Nothing").pointers == ["/type"])
            let csv = try await listener.get("/v1/orgs/acme/interactions", accept: "text/csv")
            #expect(csv.body.hasPrefix("\"id\",\"type\","))
        }
    }
}
