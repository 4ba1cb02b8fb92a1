import Consent
import HTTPTypes
import Identifiers
import Interactions
import JSON
import SQLStorage
import SQLiteStorage
import TestSupport
import Testing

@testable import HTTPAPI

/// Cursors of other lists and of other organizations: a list that took one could pass over everything.
@Suite struct ForeignCursorTests {
    private static let acme = "/v1/orgs/acme"

    /// - Parameter part: where the cursor stands: in the `query`, or in the body of the `request`.
    private static func isRefused(_ answer: ListenerAnswer, in part: String = "query") -> Bool {
        answer.status == 422 && answer.pointers == ["/after"]
            && answer["detail"]?.text == "The \(part) has members that do not fit."
            && answer["errors"]?.items.first?["detail"]?.text.hasPrefix("is not a cursor of this list") ?? false
    }

    /// Composes for Ana in an organization, and gives the id of the decision.
    private func decide(_ listener: PrivateListenerFixture, in id: String) async throws -> String {
        let composed = try await listener.post(
            "/v1/orgs/\(id)/payloads", #"{"message":{"name":"n"},"format":"plain","recipients":["ana"]}"#)
        return composed["payloads"]?.items.first?["decision"]?["id"]?.text ?? ""
    }

    @Test("a malformed cursor is refused with the same words by each list, which say whether it stood in the query")
    func malformed() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let words = "is not a cursor of this list"
            for list in [
                "accesses", "consent-requests?state=awaitingConfirmation", "consents", "decisions", "interactions",
                "keys",
                "messages",
            ] {
                let path = "\(Self.acme)/\(list)\(list.contains("?") ? "&" : "?")after=zzz"
                let answer = try await listener.get(path)
                #expect(Self.isRefused(answer), "\(list): \(answer.body)")
                #expect(answer["errors"]?.items.first?["detail"]?.text == words, "\(list)")
            }
            #expect(Self.isRefused(try await listener.get("/v1/orgs?after=zzz")))
            for list in ["accesses", "decisions", "interactions"] {
                let answer = try await listener.post("\(Self.acme)/\(list)/query", #"{"after":"zzz"}"#)
                #expect(Self.isRefused(answer, in: "request"), "\(list): \(answer.body)")
                #expect(answer["errors"]?.items.first?["detail"]?.text == words, "\(list)")
            }
        }
    }

    @Test("decisions take no decision of another organization and nothing else, and one about an erased person goes on")
    func decisions() async throws {
        try await PrivateListenerFixture.with { listener in
            for id in ["acme", "other"] { try await listener.organization(id) }
            try await listener.consent("ana", "given")
            let own = try await decide(listener, in: "acme")
            let foreign = try await decide(listener, in: "other")
            for type in ["application/json", "application/x-ndjson", "text/csv"] {
                let path = "\(Self.acme)/decisions?after="
                #expect(Self.isRefused(try await listener.get(path + foreign, accept: type)))
                #expect(Self.isRefused(try await listener.get(path + "3357d7d9f4000001", accept: type)))
                #expect(try await listener.get(path + own, accept: type).status == 200)
            }
            func query(_ after: String) async throws -> ListenerAnswer {
                try await listener.post("\(Self.acme)/decisions/query", #"{"recipient":"ana","after":"\#(after)"}"#)
            }
            #expect(Self.isRefused(try await query(foreign), in: "request"))
            #expect(try await query(own).status == 200)
            _ = try await listener.post("\(Self.acme)/recipients/erase", #"{"recipient":"ana"}"#)
            #expect(try await listener.get("\(Self.acme)/decisions?after=\(own)").status == 200)
        }
    }

    @Test("accesses take none of another organization, and no decision; a refused request records no look")
    func accesses() async throws {
        try await PrivateListenerFixture.with { listener in
            var looks: [String] = []
            for id in ["acme", "other"] {
                try await listener.organization(id)
                let path = "/v1/orgs/\(id)"
                _ = try await listener.ask(.patch, path, pieces: [#"{"recordAccess":true}"#])
                _ = try await listener.post("\(path)/consents", #"{"recipient":"ana","state":"given"}"#)
                _ = try await listener.post(
                    "\(path)/consents/query", #"{"recipient":"ana"}"#, headers: [.known("Access-Reason"): "4711"])
                looks.append(try await listener.get("\(path)/accesses")["accesses"]?.items.first?["id"]?.text ?? "")
            }
            let decision = try await decide(listener, in: "acme")
            for (after, status) in [(looks[0], 200), (looks[1], 422), (decision, 422)] {
                let answer = try await listener.get("\(Self.acme)/accesses?after=\(after)")
                #expect(answer.status == status && Self.isRefused(answer) == (status == 422), "\(answer.body)")
            }
            let refused = try await listener.post(
                "\(Self.acme)/decisions/query", #"{"recipient":"ana","after":"\#(looks[0])"}"#,
                headers: [.known("Access-Reason"): "4712"])
            #expect(Self.isRefused(refused, in: "request"))
            #expect(try await listener.get("\(Self.acme)/accesses")["accesses"]?.items.count == 1)
        }
    }

    @Test("interactions take nothing that is of no interaction of theirs where something would be passed over")
    func interactions() async throws {
        try await PrivateListenerFixture.withActions { listener, _, act in
            try await listener.organization("other")
            try await act("ana", .pushLinkClicked, 1, .browserAgent)
            listener.time.advance(byMilliseconds: 1000)
            let decision = try await decide(listener, in: "acme")
            let page = try await listener.get("\(Self.acme)/interactions")
            let own = [page["cursor"]?.text ?? "", page["interactions"]?.items.first?["id"]?.text ?? "", "0"]
            for type in ["application/json", "application/x-ndjson"] {
                for after in [decision, "p\(decision)"] {
                    let path = "\(Self.acme)/interactions?after=\(after)"
                    #expect(Self.isRefused(try await listener.get(path, accept: type)), "\(after)")
                }
                for after in own {
                    let answer = try await listener.get("\(Self.acme)/interactions?after=\(after)", accept: type)
                    #expect(answer.status == 200, "\(after)")
                }
            }
            let query = #"{"recipient":"ana","after":"\#(decision)"}"#
            let refused = try await listener.post("\(Self.acme)/interactions/query", query)
            #expect(Self.isRefused(refused, in: "request"))
        }
    }

    @Test("an organization without interactions takes a foreign id as it takes one that nobody has")
    func foreignInteraction() async throws {
        try await PrivateListenerFixture.withActions { listener, _, act in
            try await act("ana", .pushLinkClicked, 1, .browserAgent)
            let items = try await listener.get("\(Self.acme)/interactions")["interactions"]?.items ?? []
            let foreign = try #require(items.last?["id"]?.text)
            try await listener.organization("other")
            for id in [foreign, try Self.next(foreign)] {
                let page = try await listener.get("/v1/orgs/other/interactions?after=\(id)")
                #expect(page.body == #"{"interactions":[],"next":null,"cursor":"\#(id)"}"#)
                let found = try await listener.post("/v1/orgs/other/interactions/query", #"{"after":"\#(id)"}"#)
                #expect(found.body == page.body)
            }
        }
    }

    /// The id that follows `id` in the same millisecond.
    private static func next(_ id: String) throws -> String {
        String(try #require(UInt64(id, radix: 16)) + 1, radix: 16)
    }

    @Test("keys take every id: a deleted key, a key of another organization and a made-up one are answered alike")
    func keys() async throws {
        try await PrivateListenerFixture.with { listener in
            for id in ["acme", "other"] { try await listener.organization(id) }
            func first(_ id: String) async throws -> String {
                try #require(try await listener.get("/v1/orgs/\(id)/keys")["keys"]?.items.first?["id"]?.text)
            }
            let (own, foreign) = (try await first("acme"), try await first("other"))
            listener.time.advance(byMilliseconds: 1)
            let key = #"{"scopes":["read"]}"#
            let deleted = try #require(try await listener.post("\(Self.acme)/keys", key)["id"]?.text)
            let last = try #require(try await listener.post("\(Self.acme)/keys", key)["id"]?.text)
            #expect(try await listener.ask(.delete, "\(Self.acme)/keys/\(deleted)", pieces: []).status == 204)
            for after in [own, foreign, try Self.next(foreign), deleted] {
                let page = try await listener.get("\(Self.acme)/keys?after=k:\(after)")
                #expect(page["keys"]?.items.compactMap { $0["id"]?.text } == [last], "\(after)")
            }
        }
    }

    @Test("consent requests take every position, whatever request has it; cursors with an id of a request go on")
    func consentRequests() async throws {
        try await PrivateListenerFixture.with { listener in
            var (cursors, ids) = ([String](), [String]())
            for id in ["acme", "other"] {
                try await listener.organization(id)
                let path = "/v1/orgs/\(id)/consent-requests"
                let made = try await listener.post(
                    path,
                    #"{"recipient":"ana","confirm":true,"#
                        + #""notice":{"id":"n","version":"1","language":"en","text":"May we?"}}"#)
                let press = AnswerPress(
                    request: try ConsentRequestID(made["id"]?.text ?? ""), step: .question, purpose: .tracking,
                    answer: .given, evidence: ConsentEvidence())
                _ = try await listener.storage.stores.consentRequests.answer(
                    press, in: try OrganizationID(id), at: listener.time.now)
                let page = try await listener.get("\(path)?state=awaitingConfirmation")
                #expect(page["requests"]?.items.count == 1)
                cursors.append(page["cursor"]?.text ?? "")
                ids.append(made["id"]?.text ?? "")
            }
            let list = "\(Self.acme)/consent-requests?state=awaitingConfirmation&after="
            let own = cursors[0]
            for cursor in [own, cursors[1], "c\(try Self.next(String(cursors[1].dropFirst())))"] {
                for (request, status) in [("", 200), (".\(ids[0])", 200), (".\(ids[1])", 200), (".x", 422)] {
                    let page = try await listener.get(list + cursor + request)
                    #expect(page.status == status, "\(cursor)\(request)")
                    guard status == 200 else { continue }
                    #expect(page.body == #"{"requests":[],"next":null,"cursor":"\#(cursor)"}"#)
                }
            }
            for after in ["c", "c.", "\(own).", "\(own).x", "\(own).1.1", ".1"] {
                #expect(Self.isRefused(try await listener.get(list + after)), "\(after)")
            }
        }
    }
}
