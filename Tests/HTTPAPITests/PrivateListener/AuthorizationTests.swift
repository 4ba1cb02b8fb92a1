import HTTPTypes
import Testing

@testable import HTTPAPI

@Suite struct AuthorizationTests {
    enum Callers {
        case anyone
        case operatorAlone
        case scopes(Set<String>)
    }

    /// Every route, and who may call it, as the operator's manual has it.
    private static let routes: [(method: HTTPRequest.Method, path: String, callers: Callers)] = [
        (.get, "/healthz", .anyone), (.get, "/readyz", .anyone), (.get, "/metrics", .anyone),
        (.post, "/v1/orgs", .operatorAlone), (.get, "/v1/orgs", .operatorAlone), (.get, "/v1/keyring", .operatorAlone),
        (.post, "/v1/keyring/rotate", .operatorAlone), (.post, "/v1/keyring/9/retire", .operatorAlone),
        (.post, "/v1/inspect", .operatorAlone), (.post, "/v1/backup", .operatorAlone),
        (.post, "/v1/console/sign-in-links", .operatorAlone),
        (.get, "/v1/orgs/acme", .scopes(["manage"])), (.patch, "/v1/orgs/acme", .scopes(["manage"])),
        (.get, "/v1/orgs/acme/keys", .scopes(["manage"])), (.post, "/v1/orgs/acme/keys", .scopes(["manage"])),
        (.delete, "/v1/orgs/acme/keys/1", .scopes(["manage"])),
        (.get, "/v1/orgs/acme/consents", .scopes(["read"])),
        (.post, "/v1/orgs/acme/consents", .scopes(["consent"])),
        (.post, "/v1/orgs/acme/consents/query", .scopes(["consent", "read"])),
        (.post, "/v1/orgs/acme/consent-requests", .scopes(["consent"])),
        (.get, "/v1/orgs/acme/consent-requests", .scopes(["consent", "read"])),
        (.get, "/v1/orgs/acme/consent-requests/1", .scopes(["consent", "read"])),
        (.post, "/v1/orgs/acme/consent-requests/query", .scopes(["consent", "read"])),
        (.post, "/v1/orgs/acme/recipients/erase", .scopes(["manage"])),
        (.post, "/v1/orgs/acme/recipients/export", .scopes(["read"])),
        (.get, "/v1/orgs/acme/endpoints", .scopes(["manage"])),
        (.post, "/v1/orgs/acme/endpoints", .scopes(["manage"])),
        (.get, "/v1/orgs/acme/endpoints/1", .scopes(["manage"])),
        (.patch, "/v1/orgs/acme/endpoints/1", .scopes(["manage"])),
        (.delete, "/v1/orgs/acme/endpoints/1", .scopes(["manage"])),
        (.post, "/v1/orgs/acme/endpoints/1/disable", .scopes(["manage"])),
        (.post, "/v1/orgs/acme/endpoints/1/enable", .scopes(["manage"])),
        (.post, "/v1/orgs/acme/endpoints/1/secret", .scopes(["manage"])),
        (.post, "/v1/orgs/acme/endpoints/1/replay", .scopes(["manage"])),
        (.post, "/v1/orgs/acme/endpoints/1/test", .scopes(["manage"])),
        (.get, "/v1/orgs/acme/endpoints/1/attempts", .scopes(["manage"])),
        (.post, "/v1/orgs/acme/deliveries/take", .scopes(["deliver"])),
        (.post, "/v1/orgs/acme/deliveries/renew", .scopes(["deliver"])),
        (.post, "/v1/orgs/acme/deliveries/report", .scopes(["deliver"])),
        (.post, "/v1/orgs/acme/messages", .scopes(["compose"])),
        (.get, "/v1/orgs/acme/messages", .scopes(["compose", "read"])),
        (.get, "/v1/orgs/acme/messages/1", .scopes(["compose", "read"])),
        (.post, "/v1/orgs/acme/messages/1/disable", .scopes(["manage"])),
        (.post, "/v1/orgs/acme/messages/1/enable", .scopes(["manage"])),
        (.get, "/v1/orgs/acme/messages/1/report", .scopes(["read", "report"])),
        (.get, "/v1/orgs/acme/report", .scopes(["read", "report"])),
        (.get, "/v1/orgs/acme/consent-report", .scopes(["read", "report"])),
        (.get, "/v1/orgs/acme/decisions/summary", .scopes(["read"])),
        (.get, "/v1/orgs/acme/decisions/sample", .scopes(["read"])),
        (.post, "/v1/orgs/acme/payloads", .scopes(["compose"])),
        (.post, "/v1/orgs/acme/rewrites", .scopes(["compose"])),
        (.get, "/v1/orgs/acme/accesses", .scopes(["read"])),
        (.post, "/v1/orgs/acme/accesses/query", .scopes(["read"])),
        (.get, "/v1/orgs/acme/decisions", .scopes(["read"])),
        (.post, "/v1/orgs/acme/decisions/query", .scopes(["read"])),
        (.get, "/v1/orgs/acme/decisions/1", .scopes(["read"])),
        (.get, "/v1/orgs/acme/decisions/1/proof", .scopes(["read"])),
        (.get, "/v1/orgs/acme/consents/1/proof", .scopes(["read"])),
        (.get, "/v1/orgs/acme/interactions", .scopes(["read"])),
        (.post, "/v1/orgs/acme/interactions/query", .scopes(["read"])),
        (.get, "/v1/orgs/acme/ledger", .scopes(["read"])), (.get, "/v1/orgs/acme/ledger/checkpoint", .scopes(["read"])),
        (.get, "/v1/orgs/acme/ledger/tile/0/000", .scopes(["read"])),
        (.post, "/v1/orgs/acme/audits", .scopes(["read"])),
    ]

    private static let everyScope = ["compose", "consent", "read", "manage", "report", "deliver"]

    @Test("a request without a key gets no further than what is open to anyone")
    func nobody() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            for (method, path, callers) in Self.routes {
                for key in [nil, "clk_nonsense", "clk_" + String(repeating: "A", count: 43), ""] {
                    let answer = try await listener.ask(method, path, pieces: ["{}"], key: key)
                    if case .anyone = callers {
                        #expect(answer.status == 200, "\(method) \(path)")
                    } else {
                        #expect(answer.status == 401, "\(method) \(path)")
                        #expect(answer.headers[.wwwAuthenticate] == "Bearer")
                    }
                }
            }
        }
    }

    @Test("a key may do what its scope says, in its organization and in no other", arguments: everyScope)
    func scopes(_ scope: String) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            try await listener.organization("other")
            let key = try await listener.key(scope)
            for (method, path, callers) in Self.routes {
                let isAllowed =
                    switch callers {
                    case .anyone: true
                    case .operatorAlone: false
                    case .scopes(let scopes): scopes.contains(scope)
                    }
                let answer = try await listener.ask(method, path, pieces: ["{"], key: key)
                #expect((answer.status != 403) == isAllowed, "\(method) \(path) was answered with \(answer.status)")
                guard path.hasPrefix("/v1/orgs/acme") else { continue }
                for organization in ["other", "nobody", "a%20b"] {
                    let foreign = path.replacing("acme", with: organization)
                    #expect(
                        try await listener.ask(method, foreign, pieces: ["{"], key: key).status == 403,
                        "\(method) \(foreign)")
                }
            }
        }
    }

    @Test("the operator may call every route, and learns that an organization does not exist")
    func operatorKey() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            for (method, path, _) in Self.routes {
                let answer = try await listener.ask(method, path, pieces: ["{"])
                #expect(![401, 403].contains(answer.status), "\(method) \(path)")
                guard path.hasPrefix("/v1/orgs/acme") else { continue }
                for organization in ["nobody", "a%20b"] {
                    let foreign = path.replacing("acme", with: organization)
                    #expect(
                        try await listener.ask(method, foreign, pieces: ["{}"]).status == 404, "\(method) \(foreign)")
                }
            }
        }
    }

    @Test("every other method is refused by the name of those that are allowed")
    func methods() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let allowed = Dictionary(grouping: Self.routes, by: \.path).mapValues { routes in
                routes.flatMap { $0.method == .get ? ["GET", "HEAD"] : [$0.method.rawValue] }.sorted()
            }
            for (path, names) in allowed {
                let others = ["PROPFIND", "REPORT", "LINK", "QUERY"].compactMap { HTTPRequest.Method($0) }
                for method in [.get, .post, .put, .patch, .delete, .options, .head] + others
                where !names.contains(method.rawValue) {
                    let answer = try await listener.ask(method, path, pieces: [])
                    #expect(answer.status == 405, "\(method) \(path)")
                    #expect(answer.headers[.allow] == names.joined(separator: ", "), "\(method) \(path)")
                }
            }
        }
    }

    @Test("a path that is none is not found, for any caller")
    func paths() async throws {
        try await PrivateListenerFixture.with { listener in
            let key = try await listener.organization()
            for path in ["/", "/v1", "/v2/orgs", "/v1/orgs/acme/nothing", "/r/x", "/v1/orgs/acme/keys/1/2"] {
                for principal in [nil, key, PrivateListenerFixture.operatorKey] {
                    #expect(try await listener.get(path, key: principal).status == 404, "\(path)")
                }
            }
        }
    }

    @Test("a key that was deleted opens nothing")
    func deleted() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let made = try await listener.post("/v1/orgs/acme/keys", #"{"scopes":["manage"]}"#)
            let key = made["key"]?.text ?? ""
            #expect(try await listener.get("/v1/orgs/acme", key: key).status == 200)
            let path = "/v1/orgs/acme/keys/\(made["id"]?.text ?? "")"
            #expect(try await listener.ask(.delete, path, pieces: [], type: nil).status == 204)
            #expect(try await listener.get("/v1/orgs/acme", key: key).status == 401)
            #expect(try await listener.ask(.delete, path, pieces: [], type: nil).status == 404)
        }
    }

    @Test("a key gives no other key a scope that it has not itself")
    func granting() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let key = try await listener.key("manage", "read")
            for (scopes, status) in [(#"["read"]"#, 201), (#"["manage","read"]"#, 201), (#"["compose"]"#, 403)] {
                let made = try await listener.post("/v1/orgs/acme/keys", #"{"scopes":\#(scopes)}"#, key: key)
                #expect(made.status == status, "\(scopes)")
            }
        }
    }

    @Test(
        "a request whose body arrives after its key was deleted does nothing",
        arguments: [
            (.patch, "", #"{"enforcement":"nonRestrictive"}"#), (.post, "/messages", #"{"name":"sale"}"#),
            (.post, "/consents", #"{"recipient":"ana@example.com","state":"withdrawn"}"#),
        ] as [(HTTPRequest.Method, String, String)])
    func deletedBeforeTheBody(_ method: HTTPRequest.Method, _ route: String, _ body: String) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let key = try await listener.deletableKey("manage", "compose", "consent")
            let before = try await listener.get("/v1/orgs/acme")
            let answer = try await listener.ask(
                method, "/v1/orgs/acme\(route)", pieces: [body], key: key.secret, headers: [.lateBody: "1"],
                meanwhile: key.delete)
            #expect(answer.status == 401 && answer.body.contains("deleted"), "\(answer.body)")
            #expect(try await listener.get("/v1/orgs/acme").body == before.body)
            #expect(try await listener.get("/v1/orgs/acme/messages")["messages"]?.items == [])
            let consents = try await listener.post(
                "/v1/orgs/acme/consents/query", #"{"recipient":"ana@example.com"}"#)
            #expect(consents["history"]?.items == [])
        }
    }

    @Test("a key that is deleted while it makes another one does not make it")
    func deletedMaker() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let key = try await listener.deletableKey("manage")
            // Without a late body the caller is looked up once, before the deletion.
            let answer = try await listener.ask(
                .post, "/v1/orgs/acme/keys", pieces: [#"{"scopes":["manage"],"name":"child"}"#], key: key.secret,
                meanwhile: key.delete)
            #expect(answer.status == 401 && answer.body.contains("deleted"), "\(answer.body)")
            #expect(!answer.body.contains("clk_"))
            let keys = try await listener.get("/v1/orgs/acme/keys")
            #expect(keys["keys"]?.items.map { $0["name"]?.text } == ["first key"])
        }
    }
}
