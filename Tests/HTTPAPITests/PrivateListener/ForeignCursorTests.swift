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
            #expect(Self.isRefused(try await listener.get("/v1/orgs/other/interactions?after=\(own[1])")))
            let query = #"{"recipient":"ana","after":"\#(decision)"}"#
            let refused = try await listener.post("\(Self.acme)/interactions/query", query)
            #expect(Self.isRefused(refused, in: "request"))
        }
    }

    @Test("keys take no key of another organization")
    func keys() async throws {
        try await PrivateListenerFixture.with { listener in
            for id in ["acme", "other"] { try await listener.organization(id) }
            let foreign = try await listener.get("/v1/orgs/other/keys")["keys"]?.items.first?["id"]?.text ?? ""
            #expect(Self.isRefused(try await listener.get("\(Self.acme)/keys?after=k:\(foreign)")))
        }
    }

    @Test("consent requests take none of another organization; cursors from before they named their request go on")
    func consentRequests() async throws {
        try await PrivateListenerFixture.with { listener in
            var cursors: [String] = []
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
            }
            let list = "\(Self.acme)/consent-requests?state=awaitingConfirmation&after="
            #expect(Self.isRefused(try await listener.get(list + cursors[1])))
            let former = String(cursors[0].prefix { $0 != "." })
            for after in [cursors[0], former] {
                let page = try await listener.get(list + after)
                #expect(page.body == #"{"requests":[],"next":null,"cursor":"\#(after)"}"#)
            }
            for after in ["c", "c.", "\(former).", "\(former).x", "\(former).1.1", ".1"] {
                #expect(Self.isRefused(try await listener.get(list + after)), "\(after)")
            }
        }
    }
}
