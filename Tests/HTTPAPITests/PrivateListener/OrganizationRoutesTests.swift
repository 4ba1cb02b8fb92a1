import HTTPTypes
import TestSupport
import Testing

@testable import HTTPAPI

@Suite struct OrganizationRoutesTests {
    @Test("an organization is made once, with a key that has every scope and is shown once")
    func made() async throws {
        try await PrivateListenerFixture.with { listener in
            let body =
                #"{"id":"acme","name":"Acme & Söhne","enforcement":"nonRestrictive","targetHosts":["*.shop.example"],"#
                + #""honorGPC":false,"identifiers":"exact","quotas":{"requestsPerMinute":100}}"#
            let made = try await listener.post("/v1/orgs", body)
            #expect(made.status == 201)
            #expect(made["name"]?.text == "Acme & Söhne")
            #expect(made["enforcement"]?.text == "nonRestrictive")
            #expect(made["targetHosts"]?.text == #"["*.shop.example"]"#)
            #expect(made["honorGPC"]?.text == "false")
            #expect(made["identifiers"]?.text == "exact")
            #expect(made["retention"]?.text == #"{"interactionsDays":760,"decisionsDays":1825}"#)
            #expect(made["requireEvidence"]?.text == "false")
            #expect(made["quotas"]?.text == #"{"requestsPerMinute":100,"interactions":null}"#)
            #expect(made["key", "scopes"]?.text == #"["compose","consent","read","manage","report","deliver"]"#)
            let key = made["key", "key"]?.text ?? ""
            #expect(key.hasPrefix("clk_"))
            let read = try await listener.get("/v1/orgs/acme", key: key)
            #expect(read.status == 200)
            #expect(!read.body.contains("clk_"))
            #expect(read["name"] == made["name"])
            #expect(try await listener.post("/v1/orgs", body).status == 409)
            let keys = try await listener.get("/v1/orgs/acme/keys", key: key)
            #expect(keys["keys"]?.items.map { $0["name"]?.text } == ["first key"])
            #expect(!keys.body.contains("clk_"))
        }
    }

    @Test("what is not said is the name of the id, any target, GPC honored, an end to what is kept, and no limits")
    func defaults() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let read = try await listener.get("/v1/orgs/acme")
            #expect(
                read.body
                    == #"{"id":"acme","name":"acme","enforcement":"restrictive","targetHosts":[],"honorGPC":true,"#
                    + #""identifiers":"email","retention":{"interactionsDays":760,"decisionsDays":1825},"#
                    + #""quotas":{"requestsPerMinute":null,"interactions":null},"requireEvidence":false,"#
                    + #""consentUrl":null,"askAgainAfterDays":180,"recordAccess":false}"#)
        }
    }

    @Test(
        "an organization is made with the retention that it names, and only the word is for ever",
        arguments: [
            (#"{}"#, #"{"interactionsDays":760,"decisionsDays":1825}"#),
            ("null", #"{"interactionsDays":760,"decisionsDays":1825}"#),
            (#"{"interactionsDays":30}"#, #"{"interactionsDays":30,"decisionsDays":1825}"#),
            (
                #"{"interactionsDays":null,"decisionsDays":"forever"}"#,
                #"{"interactionsDays":760,"decisionsDays":"forever"}"#
            ),
            (
                #"{"interactionsDays":"forever","decisionsDays":1}"#,
                #"{"interactionsDays":"forever","decisionsDays":1}"#
            ),
        ])
    func retention(_ given: String, _ kept: String) async throws {
        try await PrivateListenerFixture.with { listener in
            let made = try await listener.post(
                "/v1/orgs",
                #"{"id":"acme","enforcement":"restrictive","retention":\#(given),"requireEvidence":true}"#)
            #expect(made.status == 201)
            #expect(made["retention"]?.text == kept)
            let read = try await listener.get("/v1/orgs/acme")
            #expect(read["retention"]?.text == kept)
            #expect(read["requireEvidence"]?.text == "true")
        }
    }

    @Test("a change sets what it names, and what is set together is set whole")
    func changed() async throws {
        try await PrivateListenerFixture.with { listener in
            let key = try await listener.organization()
            func change(_ body: String, key: String? = key) async throws -> ListenerAnswer {
                try await listener.ask(.patch, "/v1/orgs/acme", pieces: [body], key: key)
            }
            #expect(try await change("{}")["name"]?.text == "acme")
            #expect(try await change(#"{"name":"New"}"#)["name"]?.text == "New")
            let both = try await change(#"{"retention":{"interactionsDays":3,"decisionsDays":4}}"#)
            #expect(both["retention"]?.text == #"{"interactionsDays":3,"decisionsDays":4}"#)
            let one = try await change(#"{"retention":{"decisionsDays":5}}"#)
            #expect(one["retention"]?.text == #"{"interactionsDays":3,"decisionsDays":5}"#)
            let forever = try await change(#"{"retention":{"interactionsDays":"forever"}}"#)
            #expect(forever["retention"]?.text == #"{"interactionsDays":"forever","decisionsDays":5}"#)
            let silent = try await change(#"{"retention":{"interactionsDays":null}}"#)
            #expect(silent["retention"] == forever["retention"], "null says nothing")
            #expect(try await change(#"{"requireEvidence":true}"#)["requireEvidence"]?.text == "true")
            #expect(try await change(#"{"askAgainAfterDays":90}"#)["askAgainAfterDays"]?.text == "90")
            #expect(one["name"]?.text == "New")
            let page = "https://shop.example/agree?a=1"
            for (body, kept) in [
                ("\"\(page)\"", page), ("null", page), ("\"\"", "null"), ("null", "null"),
            ] {
                #expect(try await change(#"{"consentUrl":\#(body)}"#)["consentUrl"]?.text == kept, "\(body)")
            }
            #expect(try await change(#"{"quotas":{"interactions":1}}"#).status == 403)
            let quotas = try await change(#"{"quotas":{"interactions":1}}"#, key: PrivateListenerFixture.operatorKey)
            #expect(quotas["quotas"]?.text == #"{"requestsPerMinute":null,"interactions":1}"#)
            let fixed = try await change(#"{"identifiers":"exact"}"#)
            #expect(fixed.status == 422)
            #expect(fixed.pointers == ["/identifiers"])
        }
    }

    @Test("as many target hosts as there may be are taken, each as long as it may be")
    func mostTargetHosts() async throws {
        let label = String(repeating: "a", count: 62)
        // 253 bytes each, without the quotes.
        let hosts = (1000..<2000).map { #""\#($0)\#(label.dropLast(3)).\#(label).\#(label).\#(label)a""# }
        #expect(hosts.allSatisfy { $0.utf8.count == 253 + 2 })
        let list = "\"targetHosts\":[\(hosts.joined(separator: ","))]"
        try await PrivateListenerFixture.with { listener in
            let made = try await listener.post("/v1/orgs", #"{"id":"acme","enforcement":"restrictive",\#(list)}"#)
            #expect(made.status == 201)
            #expect(made["targetHosts"]?.items.count == 1000)
            try await listener.organization("other")
            let changed = try await listener.ask(.patch, "/v1/orgs/other", pieces: ["{\(list)}"])
            #expect(changed.status == 200)
            #expect(changed["targetHosts"] == made["targetHosts"])
        }
    }

    @Test(
        "what does not fit is named by its pointer, and nothing is changed",
        arguments: [
            (#"{"name":""}"#, "/name"),
            (#"{"name":" 　"}"#, "/name"), (#"{"name":"a\nb"}"#, "/name"), (#"{"name":1}"#, "/name"),
            (#"{"enforcement":"maybe"}"#, "/enforcement"), (#"{"targetHosts":"a"}"#, "/targetHosts"),
            (#"{"targetHosts":["a.example","http://x"]}"#, "/targetHosts/1"), (#"{"honorGPC":1}"#, "/honorGPC"),
            (#"{"retention":{"interactionsDays":0}}"#, "/retention/interactionsDays"),
            (#"{"retention":{"decisionsDays":36501}}"#, "/retention/decisionsDays"),
            (#"{"retention":{"days":1}}"#, "/retention/days"), (#"{"retention":"forever"}"#, "/retention"),
            (#"{"retention":{"interactionsDays":"Forever"}}"#, "/retention/interactionsDays"),
            (#"{"retention":{"interactionsDays":"760"}}"#, "/retention/interactionsDays"),
            (#"{"retention":{"decisionsDays":true}}"#, "/retention/decisionsDays"),
            (#"{"requireEvidence":"yes"}"#, "/requireEvidence"), (#"{"consentUrl":1}"#, "/consentUrl"),
            (#"{"consentUrl":"http://shop.example/"}"#, "/consentUrl"),
            (#"{"consentUrl":"https://a@shop.example/"}"#, "/consentUrl"),
            (#"{"consentUrl":"javascript:alert(1)"}"#, "/consentUrl"), (#"{"consentURL":""}"#, "/consentURL"),
            (#"{"askAgainAfterDays":89}"#, "/askAgainAfterDays"),
            (#"{"askAgainAfterDays":3651}"#, "/askAgainAfterDays"),
            (#"{"askAgainAfterDays":"never"}"#, "/askAgainAfterDays"),
            (#"{"quotas":{"interactions":0}}"#, "/quotas/interactions"),
            (#"{"quotas":{"requestsPerMinute":1.5}}"#, "/quotas/requestsPerMinute"), (#"{"id":"other"}"#, "/id"),
        ])
    func refused(_ body: String, _ pointer: String) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let before = try await listener.get("/v1/orgs/acme").body
            let answer = try await listener.ask(.patch, "/v1/orgs/acme", pieces: [body])
            #expect(answer.status == 422)
            #expect(answer.pointers == [pointer])
            #expect(try await listener.get("/v1/orgs/acme").body == before)
        }
    }

    @Test("administrative acts are logged with who did them and how they ended, and with no secret")
    func log() async throws {
        try await PrivateListenerFixture.with { listener in
            let key = try await listener.organization()
            _ = try await listener.post("/v1/orgs", #"{"id":"acme","enforcement":"restrictive"}"#)
            let made = try await listener.post("/v1/orgs/acme/keys", #"{"scopes":["read"]}"#, key: key)
            _ = try await listener.post("/v1/orgs/acme/recipients/erase", #"{"recipient":"ana@example.com"}"#, key: key)
            let lines = listener.log.all.filter { $0.hasPrefix("administrative act") }
            #expect(lines.count == 4)
            #expect(lines[0].contains("by=operator") && lines[0].contains("status=201"))
            #expect(lines[0].contains("enforcement=restrictive") && lines[0].contains("organization=acme"))
            #expect(lines[1].contains("status=409"))
            #expect(lines[2].contains("keyId=\(made["id"]?.text ?? "?")") && lines[2].contains("scopes=read"))
            #expect(lines[3].contains("consents=0"))
            for line in lines { #expect(!line.contains("clk_") && !line.contains("ana@example.com")) }
            #expect(!lines[2].contains("by=operator"))
        }
    }
}

@Suite struct OperatorRoutesTests {
    @Test("the ring is listed, rotated, and a key is retired when its links have ended, or by force")
    func ring() async throws {
        try await PrivateListenerFixture.with { listener in
            let first = try await listener.get("/v1/keyring")
            #expect(
                first["keys"]?.items.map(\.text) == [
                    #"{"id":1,"createdAt":"2026-11-22T12:00:00.000Z","signs":true,"signedUntil":null,"linksAliveUntil":null}"#
                ])
            #expect(try await listener.post("/v1/keyring/1/retire", "{}").status == 409, "it signs")
            listener.time.advance(byMilliseconds: 1000)
            let rotated = try await listener.post("/v1/keyring/rotate", "")
            #expect(rotated.status == 201)
            #expect(rotated["id"]?.text == "2")
            let alive = try await listener.post("/v1/keyring/1/retire", "{}")
            #expect(alive.status == 409)
            #expect(alive["detail"]?.text.contains("may be alive until 2026-12-2") == true)
            #expect(try await listener.post("/v1/keyring/7/retire", "{}").status == 404)
            #expect(try await listener.post("/v1/keyring/999/retire", "{}").status == 404)
            #expect(try await listener.post("/v1/keyring/1/retire", #"{"force":"yes"}"#).pointers == ["/force"])
            #expect(try await listener.post("/v1/keyring/1/retire", #"{"force":true}"#).status == 204)
            #expect(try await listener.get("/v1/keyring")["keys"]?.items.map { $0["id"]?.text } == ["2"])
        }
    }

    @Test("a key whose links have ended is retired without force")
    func ended() async throws {
        try await PrivateListenerFixture.with { listener in
            _ = try await listener.post("/v1/keyring/rotate", "")
            listener.time.advance(byMilliseconds: 31 * 86_400_000)
            #expect(try await listener.post("/v1/keyring/1/retire", "{}").status == 204)
        }
    }

    @Test("a tracking ID is explained without the recipient, and a forged one by its fault")
    func inspect() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            try await listener.consent("ana@example.com", "given")
            let composed = try await listener.compose(["ana@example.com"])
            let token = composed["payloads"]?.items.first?["payload"]?["trackingId"]?.text ?? ""
            let answer = try await listener.post("/v1/inspect", #"{"token":"\#(token)"}"#)
            #expect(answer["genuine"]?.text == "true")
            #expect(answer["organization"]?.text == "acme")
            #expect(answer["message"] == composed["message"])
            #expect(answer["recorded"]?.text == "true")
            #expect(answer["consent"]?.text == "consentGiven")
            #expect(!answer.body.contains("ana"))
            try await listener.consent("ana@example.com", "withdrawn")
            let ended = try await listener.post("/v1/inspect", #"{"token":"\#(token)"}"#)
            #expect(ended["recorded"]?.text == "false")
            #expect(ended["consent"]?.text == "consentWithdrawn")
            for forged in ["", "AQE", token + "A", String(token.dropLast()), String(token.reversed())] {
                let refused = try await listener.post("/v1/inspect", #"{"token":"\#(forged)"}"#)
                #expect(refused.status == 200)
                #expect(refused["genuine"]?.text == "false")
                #expect(refused["reason"]?.text.isEmpty == false)
            }
        }
    }

    @Test("nothing is recorded of a link whose message is switched off or that has expired, whatever was consented to")
    func inspectEnded() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            try await listener.consent("ana@example.com", "given")
            let composed = try await listener.compose(["ana@example.com"])
            let token = composed["payloads"]?.items.first?["payload"]?["trackingId"]?.text ?? ""
            func inspected() async throws -> [String?] {
                let answer = try await listener.post("/v1/inspect", #"{"token":"\#(token)"}"#)
                return ["recorded", "disabled", "expired", "consent"].map { answer[$0]?.text }
            }
            let path = "/v1/orgs/acme/messages/\(composed["message"]?.text ?? "")"
            _ = try await listener.post("\(path)/disable", "")
            #expect(try await inspected() == ["false", "true", "false", "consentGiven"])
            _ = try await listener.post("\(path)/enable", "")
            #expect(try await inspected() == ["true", "false", "false", "consentGiven"])
            listener.time.advance(byMilliseconds: 32 * 86_400_000)
            #expect(try await inspected() == ["false", "false", "true", "consentGiven"])
        }
    }

    @Test("a backup is told with its folder and its files")
    func backup() async throws {
        try await PrivateListenerFixture.with { listener in
            let answer = try await listener.post("/v1/backup", "")
            #expect((200..<300).contains(answer.status))
            #expect(answer["folder"]?.text == "/backups/1")
            #expect(answer["files"]?.text == #"[{"name":"main.db","bytes":12}]"#)
        }
    }
}
