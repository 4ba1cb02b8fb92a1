import HTTPTypes
import Testing
import UseCases

@testable import HTTPAPI

/// What is refused, and how it is said (RFC 9457).
@Suite struct PrivateProblemTests {
    private static let samples: [(path: String, body: String)] = [
        ("/v1/orgs", #"{"id":"new","enforcement":"restrictive"}"#),
        ("/v1/orgs/acme/keys", #"{"scopes":["read"]}"#),
        ("/v1/orgs/acme/consents", #"{"recipient":"ana","state":"given"}"#),
        ("/v1/orgs/acme/consents/query", #"{"recipient":"ana"}"#),
        (
            "/v1/orgs/acme/consent-requests",
            #"{"recipient":"bo","notice":{"id":"n","version":"1","language":"en","text":"May we?"}}"#
        ),
        ("/v1/orgs/acme/consent-requests/query", #"{"recipient":"ana"}"#),
        ("/v1/orgs/acme/recipients/erase", #"{"recipient":"ana"}"#),
        ("/v1/orgs/acme/endpoints", #"{"url":"https://crm.example/","kinds":["consent.recorded"]}"#),
        (
            "/v1/orgs/acme/deliveries/take",
            #"{"relay":{"id":"relay-0123456789abcdef","process":"process-0123456789"}}"#
        ),
        ("/v1/orgs/acme/messages", #"{"name":"sale"}"#),
        ("/v1/orgs/acme/payloads", #"{"message":{"name":"sale"},"format":"plain","recipients":["ana"]}"#),
        ("/v1/orgs/acme/accesses/query", "{}"),
        ("/v1/orgs/acme/decisions/query", "{}"), ("/v1/orgs/acme/interactions/query", "{}"),
        ("/v1/inspect", #"{"token":"AQE"}"#),
    ]

    @Test("a problem is a document of its type, is not stored, and names no member's value")
    func document() async throws {
        try await PrivateListenerFixture.with { listener in
            let answer = try await listener.post("/v1/orgs", #"{"id":"no such id","enforcement":"sometimes","x":1}"#)
            #expect(answer.status == 422)
            #expect(answer.headers[.contentType] == "application/problem+json")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer["type"]?.text == "about:blank")
            #expect(answer["status"]?.text == "422")
            #expect(answer["detail"]?.text == "The request has members that do not fit.")
            #expect(Set(answer.pointers) == ["/id", "/enforcement", "/x"])
            #expect(!answer.body.contains("no such id") && !answer.body.contains("sometimes"))
        }
    }

    @Test("a body of the tests is taken, so that what is changed in it is what is refused")
    func taken() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            for (path, body) in Self.samples {
                #expect((200..<300).contains(try await listener.post(path, body).status), "\(path)")
            }
        }
    }

    @Test(
        "a body that is no JSON is 400, one that is no object is 422, one of another type is 415, unknown members are 422",
        arguments: samples)
    func wrongBody(_ path: String, _ body: String) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            for text in ["", "{", "{}{}", "nonsense", #"{"a":}"#, "{\"a\":\"\u{1}\"}"] {
                #expect(try await listener.post(path, text).status == 400, "\(path) \(text)")
            }
            for text in ["1", "\"x\"", "null", "true"] {
                #expect(try await listener.post(path, text).status == 422, "\(path) \(text)")
            }
            let unknown = try await listener.post(path, "{\"unheardOf\":1," + body.dropFirst())
            #expect([400, 422].contains(unknown.status), "\(path)")
            for type in [nil, "text/plain", "application/json; charset=utf-16", "multipart/form-data", "json"] {
                #expect(try await listener.post(path, body, type: type).status == 415, "\(path) \(type ?? "-")")
            }
            for type in ["application/json", "application/json; charset=UTF-8", "APPLICATION/JSON"] {
                #expect(try await listener.post(path, "{", type: type).status == 400, "\(path) \(type)")
            }
        }
    }

    @Test(
        "a body that says something is refused where the operation takes none, and changes nothing",
        arguments: [HTTPRequest.Method.get, .head, .post, .delete])
    func bodyNotTaken(_ method: HTTPRequest.Method) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let path =
                switch method {
                case .post: "/v1/keyring/rotate"
                case .delete: "/v1/orgs/acme/keys/1"
                default: "/v1/keyring"
                }
            for body in [#"{"x":1}"#, "[{}]", "[null]", "nul", "false", "x=1", "{}{}", "{}null"] {
                let answer = try await listener.ask(method, path, pieces: [" ", body])
                #expect(answer.status == 422, "\(body)")
                #expect(method == .head || answer.pointers == [""], "\(body)")
            }
            #expect(try await listener.get("/v1/keyring")["keys"]?.items.count == 1)
            let padding = String(repeating: " ", count: 16 << 10)
            #expect(try await listener.ask(method, path, pieces: Array(repeating: padding, count: 5)).status == 413)
            for pieces in [[], [""], ["{}"], [" {", "\n}\r\n"], ["[]"], ["[", " ]"], ["nu", "ll\n"]] {
                for type in [nil, "application/json", "text/plain"] {
                    let answer = try await listener.ask(method, path, pieces: pieces, type: type)
                    #expect([200, 201, 404].contains(answer.status), "\(pieces) \(type ?? "-")")
                }
            }
        }
    }

    @Test("probes and scrapers may send a body")
    func bodyOfProbe() async throws {
        try await PrivateListenerFixture.with { listener in
            for path in ["/healthz", "/readyz", "/metrics"] {
                let answer = try await listener.ask(.get, path, pieces: ["x"], key: nil)
                #expect(answer.status == 200, "\(path)")
            }
        }
    }

    @Test("a member that stands twice, and a surrogate without its other half, is 400")
    func hostileJSON() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            for text in [
                #"{"recipient":"ana","recipient":"bo"}"#, #"{"recipient":"\ud800"}"#, #"{"recipient":"ana",}"#,
                String(repeating: "[", count: 5000),
            ] {
                let answer = try await listener.post("/v1/orgs/acme/consents/query", text)
                #expect([400, 422].contains(answer.status), "\(text.prefix(40))")
            }
        }
    }

    @Test("a small request has a small bound, however its body arrives, and the budget gets all of it back")
    func length() async throws {
        let bodies = BodyBudget()
        try await PrivateListenerFixture.with(bodies: bodies) { listener in
            let padding = String(repeating: " ", count: 16 << 10)
            let path = "/v1/inspect"
            let fits = try await listener.ask(.post, path, pieces: [#"{"token":"AQE"}"#, padding, padding, padding])
            #expect(fits.status == 200)
            let longer = try await listener.ask(.post, path, pieces: Array(repeating: padding, count: 5))
            #expect(longer.status == 413)
            #expect(longer["detail"]?.text == "The body is larger than 64 KiB.")
            #expect(bodies.bytesTaken == 0)
        }
    }

    @Test(
        "bodies that together are larger than the budget are put off, and an organization has no more than half of it")
    func budget() async throws {
        try await PrivateListenerFixture.with(bodies: BodyBudget(2000)) { listener in
            try await listener.organization()
            let body = #"{"recipient":"ana"}"#
            let path = "/v1/orgs/acme/consents/query"
            #expect(try await listener.post(path, body + String(repeating: " ", count: 900)).status == 200)
            let put = try await listener.post(path, body + String(repeating: " ", count: 1100))
            #expect(put.status == 503)
            #expect(put.headers[.retryAfter] == "2")
            let inspect = #"{"token":"AQE"}"#
            #expect(try await listener.post("/v1/inspect", inspect + String(repeating: " ", count: 1100)).status == 200)
            #expect(try await listener.post("/v1/inspect", inspect + String(repeating: " ", count: 2100)).status == 503)
        }
    }

    @Test(
        "an answer to HEAD has the status and no body",
        arguments: [("/healthz", 200), ("/v1/keyring", 200), ("/x", 404)])
    func head(_ path: String, _ status: Int) async throws {
        try await PrivateListenerFixture.with { listener in
            let answer = try await listener.ask(.head, path, pieces: [], type: nil)
            #expect(answer.status == status)
            #expect(answer.body.isEmpty)
        }
    }

    @Test(
        "a query is refused by the member that does not fit",
        arguments: [
            ("limit=0", "/limit"), ("limit=1001", "/limit"), ("limit=x", "/limit"), ("limit=", "/limit"),
            ("outcome=maybe", "/outcome"), ("reason=none", "/reason"), ("from=yesterday", "/from"), ("to=1", "/to"),
            ("after=x", "/after"), ("message=x", "/message"), ("recipient=ana", "/recipient"), ("x=1", "/x"),
            ("limit=1&limit=2", "/limit"), ("x~y=1", "/x~0y"),
        ])
    func query(_ query: String, _ pointer: String) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let answer = try await listener.get("/v1/orgs/acme/decisions?\(query)")
            #expect(answer.status == 422)
            #expect(answer.pointers == [pointer])
            #expect(!answer.body.contains("ana"))
        }
    }

    @Test("an id that cannot be one is not found", arguments: ["x", "0", "-1", "%00", "3357d7d9f400000100"])
    func ids(_ id: String) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            for path in ["messages/\(id)", "messages/\(id)/report", "decisions/\(id)", "decisions/\(id)/proof"] {
                #expect(try await listener.get("/v1/orgs/acme/\(path)").status == 404, "\(path)")
            }
        }
    }

    @Test(
        "what went wrong with a backup is said with the status that fits",
        arguments: [
            (BackupError.underWay, 409), (.cannotWrite, 503), (.noRoom(needed: 2, free: 1), 503), (.overtaken, 503),
            (.serviceIsEnding, 503),
            (.unusable([.init(file: "ledger.key", text: "ledger.key is empty")]), 503),
        ])
    func backups(_ error: BackupError, _ status: Int) async throws {
        try await PrivateListenerFixture.with { listener in
            listener.backups.fail(with: error)
            let answer = try await listener.post("/v1/backup", "")
            #expect(answer.status == status)
            #expect(answer["detail"]?.text == error.description)
        }
    }

    @Test("a service that is not ready says why to the operator's network, and that it lives")
    func health() async throws {
        try await PrivateListenerFixture.with { listener in
            #expect(try await listener.get("/readyz", key: nil).body == #"{"status":"ready"}"#)
            listener.health.impediments = [.diskFull, .roleMissing("api")]
            let answer = try await listener.get("/readyz", key: nil)
            #expect(answer.status == 503)
            #expect(answer["detail"]?.text == "the disk is full; the node does not have the role api")
            #expect(answer.headers[.retryAfter] == "2")
            #expect(try await listener.get("/healthz", key: nil).body == #"{"status":"alive"}"#)
        }
    }

    @Test("the metrics page is of its type, and counts requests by route and never by what stands in a path")
    func metrics() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization("acme")
            _ = try await listener.get("/v1/orgs/acme/keys")
            _ = try await listener.get("/v1/orgs/secret-name/keys")
            let page = try await listener.get("/metrics", key: nil)
            #expect(page.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(page.body.contains("/v1/orgs/{org}/keys"))
            #expect(!page.body.contains("secret-name") && !page.body.contains("acme"))
            for line in page.body.split(separator: "\n") where !line.hasPrefix("#") {
                #expect(Double(line.split(separator: " ").last ?? "") != nil, "\(line)")
            }
        }
    }
}
