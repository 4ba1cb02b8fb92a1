import HTTPTypes
import JSON
import Testing

@testable import HTTPAPI

/// Lists of organizations, keys and messages, page by page.
@Suite struct ListRoutesTests {
    /// Everything in a list, read page by page, and how many pages there were.
    private func all(
        _ listener: PrivateListenerFixture, _ path: String, _ member: String, limit: Int
    ) async throws -> (items: [JSONValue], pages: Int) {
        var (items, pages, after) = ([JSONValue](), 0, String?.none)
        repeat {
            let place = after.map { "&after=\($0)" } ?? ""
            let page = try await listener.get("\(path)\(path.contains("?") ? "&" : "?")limit=\(limit)\(place)")
            #expect(page.status == 200)
            items += page[member]?.items ?? []
            pages += 1
            after = page["next"] == .null ? nil : page["next"]?.text
        } while after != nil
        return (items, pages)
    }

    private func make(_ listener: PrivateListenerFixture, _ message: String, in id: String = "acme") async throws
        -> String
    {
        let made = try await listener.post("/v1/orgs/\(id)/messages", message)
        #expect(made.status == 201, "\(made.body)")
        return made["id"]?.text ?? ""
    }

    @Test("the operator lists organizations as they were made, each with its settings")
    func organizations() async throws {
        try await PrivateListenerFixture.with { listener in
            let ids = ["zeta", "acme", "Acme", "m"]
            for id in ids { try await listener.organization(id) }
            let (items, pages) = try await all(listener, "/v1/orgs", "organizations", limit: 3)
            #expect(items.map { $0["id"]?.text } == ids && pages == 2)
            for (id, item) in zip(ids, items) { #expect(item == (try await listener.get("/v1/orgs/\(id)")).json) }
            for query in [
                "after=acme", "after=o:", "after=o:nobody", "after=m:acme", "limit=0", "limit=1001", "name=acme",
                "after=",
            ] {
                let name = query.prefix { $0 != "=" }
                let answer = try await listener.get("/v1/orgs?\(query)")
                #expect(answer.status == 422 && answer.pointers == ["/\(name)"], "\(query)")
            }
        }
    }

    @Test("keys are listed page by page, also behind one that was deleted meanwhile")
    func keys() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            for _ in 0..<4 { _ = try await listener.key("read") }
            let (items, pages) = try await all(listener, "/v1/orgs/acme/keys", "keys", limit: 2)
            let ids = items.map { $0["id"]?.text ?? "" }
            #expect(ids.count == 5 && Set(ids).count == 5 && pages == 3)
            _ = try await listener.ask(.delete, "/v1/orgs/acme/keys/\(ids[1])", pieces: [], type: nil)
            let rest = try await listener.get("/v1/orgs/acme/keys?after=k:\(ids[1])")
            #expect(rest["keys"]?.items.map { $0["id"]?.text ?? "" } == Array(ids[2...]))
            #expect(rest["next"] == .null)
            for query in [
                "after=x", "after=\(ids[1])", "after=m:\(ids[1])", "after=k:%CC%81\(ids[1])", "limit=x", "name=x",
            ] {
                #expect(try await listener.get("/v1/orgs/acme/keys?\(query)").status == 422, "\(query)")
            }
        }
    }

    @Test("messages are listed newest first, with their tags and without what they say")
    func messages() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let first = try await make(
                listener,
                #"{"name":"sale","title":"SAID","link":"https://shop.example/","tags":["b","a"],"purpose":"offers","#
                    + #""expiresAt":"2026-12-01T00:00:00Z"}"#)
            listener.time.advance(byMilliseconds: 1000)
            let second = try await make(listener, #"{"name":"sale-2"}"#)
            _ = try await listener.post("/v1/orgs/acme/messages/\(second)/disable", "")
            let list = try await listener.get("/v1/orgs/acme/messages")
            #expect(
                list.body == #"{"messages":[{"id":"\#(second)","name":"sale-2","tags":[],"purpose":"tracking","#
                    + #""createdAt":"2026-11-22T12:00:01.000Z","expiresAt":null,"disabled":true},"#
                    + #"{"id":"\#(first)","name":"sale","tags":["a","b"],"purpose":"offers","#
                    + #""createdAt":"2026-11-22T12:00:00.000Z","expiresAt":"2026-12-01T00:00:00.000Z","disabled":false}],"#
                    + #""next":null}"#)
            #expect(try await listener.get("/v1/orgs/acme/messages/\(first)")["tags"]?.text == #"["a","b"]"#)
        }
    }

    @Test(
        "a number in a query is written as its schema's integers are",
        arguments: [
            ("keys", "limit"), ("messages", "limit"), ("interactions", "limit"), ("interactions", "wait"),
            ("interactions", "link"), ("decisions/sample", "size"), ("decisions/sample", "through"),
        ])
    func numbers(_ list: String, _ name: String) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            for (value, status) in [("1", 200), ("%2B1", 422), ("01", 422), ("1.0", 422)] {
                let seed = list == "decisions/sample" ? "seed=a&" : ""
                let answer = try await listener.get("/v1/orgs/acme/\(list)?\(seed)\(name)=\(value)")
                #expect(answer.status == status, "\(value)")
                if status == 422 { #expect(answer.pointers == ["/\(name)"], "\(value)") }
            }
        }
    }

    @Test("filters choose by how the name begins, tag and time of creation")
    func messageFilters() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let path = "/v1/orgs/acme/messages"
            var ids: [String] = []
            for (name, tags) in [("sale", #"["a"]"#), ("Sale", "[]"), ("sal é", #"["a","b c"]"#), ("x", #"["b c"]"#)] {
                ids.append(try await make(listener, #"{"name":"\#(name)","tags":\#(tags)}"#))
                listener.time.advance(byMilliseconds: 1000)
            }
            for (query, found) in [
                ("", [3, 2, 1, 0]), ("name=sal", [2, 0]), ("name=sale", [0]), ("name=S", [1]),
                ("name=sal%20%C3%A9", [2]),
                ("tag=a", [2, 0]), ("tag=b%20c", [3, 2]), ("tag=b", []), ("name=s&tag=b%20c", [2]),
                ("from=2026-11-22T12:00:01Z", [3, 2, 1]), ("to=2026-11-22T12:00:01Z", [0]),
                ("from=2026-11-22T12:00:01Z&to=2026-11-22T12:00:03Z", [2, 1]),
                ("from=2026-11-22T12:00:01Z&to=2026-11-22T12:00:01Z", []),
            ] {
                let (items, _) = try await all(
                    listener, query.isEmpty ? path : "\(path)?\(query)", "messages", limit: 1)
                #expect(items.map { $0["id"]?.text ?? "" } == found.map { ids[$0] }, "\(query)")
            }
        }
    }

    @Test("what no list of messages can be asked is refused by its name")
    func messageRefusals() async throws {
        try await PrivateListenerFixture.with { listener in
            for id in ["acme", "other"] { try await listener.organization(id) }
            _ = try await make(listener, #"{"name":"mine"}"#)
            for number in 0..<2 { _ = try await make(listener, #"{"name":"\#(number)"}"#, in: "other") }
            let foreign = try await listener.get("/v1/orgs/other/messages?limit=1")["next"]?.text ?? ""
            #expect(foreign.hasPrefix("m:"))
            let long = String(repeating: "x", count: 257)
            for (query, name) in [
                ("after=\(foreign)", "after"), ("after=\(foreign.dropFirst(2))", "after"), ("after=m:7", "after"),
                ("after=o:acme", "after"), ("after=p3357d7d9f4000001", "after"), ("after=0", "after"),
                ("after=", "after"), ("name=", "name"), ("name=\(long)", "name"), ("tag=", "tag"),
                ("tag=\(long)", "tag"), ("tag=a%0Ab", "tag"), ("name=%C3", "name"), ("tag=%FF", "tag"),
                ("from=today", "from"),
                ("from=2026-11-22T12:00:01Z&to=2026-11-22T12:00:00Z", "to"), ("limit=0", "limit"),
                ("limit=1001", "limit"), ("tags=a", "tags"), ("purpose=x", "purpose"),
            ] {
                let answer = try await listener.get("/v1/orgs/acme/messages?\(query)")
                #expect(answer.status == 422 && answer.pointers == ["/\(name)"], "\(query)")
            }
        }
    }

    @Test(
        "a time whose end is before its begin is refused everywhere: an empty list would look like nothing was done",
        arguments: [
            "messages", "interactions", "decisions", "accesses", "decisions/sample", "decisions/summary", "report",
        ])
    func exchangedTimes(_ list: String) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let query = "from=2026-11-22T12:00:01Z&to=2026-11-22T12:00:00Z"
            let seed = list == "decisions/sample" ? "seed=a&" : ""
            let answer = try await listener.get("/v1/orgs/acme/\(list)?\(seed)\(query)")
            #expect(answer.status == 422 && answer.pointers == ["/to"])
        }
    }

    @Test("the same, in a body", arguments: ["interactions/query", "decisions/query", "accesses/query", "audits"])
    func exchangedTimesInBody(_ path: String) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            func asked(_ from: Int, _ to: Int) async throws -> ListenerAnswer {
                let times = #"{"from":"2026-11-22T12:00:0\#(from)Z","to":"2026-11-22T12:00:0\#(to)Z"}"#
                return try await listener.post("/v1/orgs/acme/\(path)", times)
            }
            let exchanged = try await asked(1, 0)
            #expect(exchanged.status == 422 && exchanged.pointers == ["/to"])
            #expect(try await asked(1, 1).status == 200, "an empty time is one")
        }
    }

    @Test("labels are shown with links, in the report and in what recipients did")
    func labels() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let id = try await make(
                listener,
                #"{"name":"sale","link":"https://shop.example/","linkLabel":"hero","actions":["#
                    + #"{"id":"buy","title":"Buy","link":"https://shop.example/b","label":"Buy now"}]}"#)
            let message = try await listener.get("/v1/orgs/acme/messages/\(id)")
            #expect(message["links"]?.items.map { $0["label"]?.text } == ["hero", "Buy now"])
            #expect(message["content", "linkLabel"]?.text == "hero")
            let report = try await listener.get("/v1/orgs/acme/messages/\(id)/report")
            #expect(report["links"]?.items.map { $0["label"]?.text } == ["hero", "Buy now"])
        }
    }
}
