import HTTPTypes
import Identifiers
import JSON
import Organizations
import SQLStorage
import SQLiteStorage
import TestSupport
import Testing

@testable import HTTPAPI

/// Asking for consent, and reading what became of it.
@Suite struct ConsentRequestRoutesTests {
    private static let path = "/v1/orgs/acme/consent-requests"
    private static let notice = #"{"id":"privacy","version":"3","language":"en","text":"May we?"}"#

    private static func body(_ recipient: String = "ana@example.com", _ more: String = "") -> String {
        #"{"recipient":"\#(recipient)","notice":\#(notice)\#(more)}"#
    }

    private func with(_ body: (PrivateListenerFixture) async throws -> Void) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            try await body(listener)
        }
    }

    @Test("a request has a link, an end after 30 days, the digest of its text, and no answer")
    func asking() async throws {
        try await with { listener in
            let made = try await listener.post(Self.path, Self.body())
            #expect(made.status == 201)
            #expect(made["state"]?.text == "open")
            #expect(made["url"]?.text.hasPrefix("https://links.example/c/") == true)
            #expect(made["url"]?.text.utf8.count == "https://links.example/c/".utf8.count + 51)
            #expect(made["confirmUrl"]?.text == "null")
            #expect(made["madeAt"]?.text == "2026-11-22T12:00:00.000Z")
            #expect(made["expiresAt"]?.text == "2026-12-22T12:00:00.000Z")
            #expect(
                made["notice", "sha256"]?.text == "2352141c0dbb03d936c8d1c8e349cec5d404580a71a7014b06e6e72ff307cc16")
            #expect(!made.body.contains("May we?"))
            let id = try #require(made["id"]?.text)
            #expect(try await listener.get("\(Self.path)/\(id)").body == made.body)
            let found = try await listener.post("\(Self.path)/query", #"{"recipient":"ANA@example.com"}"#)
            #expect(found["requests"]?.items.count == 1)
            #expect(found.body.contains(made.body))
            let unknown = try await listener.post("\(Self.path)/query", #"{"recipient":"bo@example.com"}"#)
            #expect(unknown.body == #"{"recipient":"bo@example.com","requests":[]}"#)
        }
    }

    @Test("the digest is that of the text, as anybody can compute it")
    func digest() async throws {
        try await with { listener in
            let text = "abc"
            let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            func body(_ digest: String) -> String {
                #"{"recipient":"ana","notice":{"id":"n","version":"1","language":"de-AT","text":"\#(text)","sha256":"\#(digest)"}}"#
            }
            let wrong = try await listener.post(Self.path, body(String(repeating: "0", count: 64)))
            #expect(wrong.status == 422 && wrong.pointers == ["/notice/sha256"])
            let made = try await listener.post(Self.path, body(sha256))
            #expect(made["notice", "sha256"]?.text == sha256)
        }
    }

    @Test(
        "a member that does not fit is named, and nothing is made",
        arguments: [
            (#"{"notice":NOTICE}"#, "/recipient"), (#"{"recipient":"","notice":NOTICE}"#, "/recipient"),
            (#"{"recipient":"ana"}"#, "/notice"),
            (#"{"recipient":"ana","notice":NOTICE,"purposes":[]}"#, "/purposes"),
            (#"{"recipient":"ana","notice":NOTICE,"purposes":["a","b","c","d","e"]}"#, "/purposes"),
            (#"{"recipient":"ana","notice":NOTICE,"purposes":["a","a"]}"#, "/purposes"),
            (#"{"recipient":"ana","notice":NOTICE,"purposes":["A B"]}"#, "/purposes/0"),
            (#"{"recipient":"ana","notice":NOTICE,"confirm":"yes"}"#, "/confirm"),
            (#"{"recipient":"ana","notice":NOTICE,"state":"given"}"#, "/state"),
            (#"{"recipient":"ana","notice":{"version":"1","language":"en","text":"a"}}"#, "/notice/id"),
            (#"{"recipient":"ana","notice":{"id":"n","language":"en","text":"a"}}"#, "/notice/version"),
            (#"{"recipient":"ana","notice":{"id":"n","version":"1","text":"a"}}"#, "/notice/language"),
            (#"{"recipient":"ana","notice":{"id":"n","version":"1","language":"en"}}"#, "/notice/text"),
            (#"{"recipient":"ana","notice":{"id":"n","version":"1","language":"en","text":" \n "}}"#, "/notice/text"),
            (
                #"{"recipient":"ana","notice":{"id":"n","version":"1","language":"en","text":"a\u0007"}}"#,
                "/notice/text"
            ),
            (
                #"{"recipient":"ana","notice":{"id":"n","version":"1","language":"en","text":"a","url":"https://a.example"}}"#,
                "/notice/url"
            ),
            (
                #"{"recipient":"ana","notice":{"id":"n","version":"1","language":"en","url":"https://a.example"}}"#,
                "/notice/sha256"
            ),
            (#"{"recipient":"ana","notice":{"id":"n","version":"1","language":"e","text":"a"}}"#, "/notice/language"),
            (
                #"{"recipient":"ana","notice":{"id":"n","version":"1","language":"en_US","text":"a"}}"#,
                "/notice/language"
            ),
            (#"{"recipient":"ana","notice":{"id":"n","version":"1","language":"en-","text":"a"}}"#, "/notice/language"),
        ])
    func refused(_ body: String, _ pointer: String) async throws {
        try await with { listener in
            let answer = try await listener.post(Self.path, body.replacing("NOTICE", with: Self.notice))
            #expect(answer.status == 422)
            #expect(answer.pointers == [pointer])
            let found = try await listener.post("\(Self.path)/query", #"{"recipient":"ana"}"#)
            #expect(found["requests"]?.items == [])
        }
    }

    @Test(
        "a notice elsewhere is one that a browser can be sent to, with its digest",
        arguments: [
            ("https://shop.example/privacy?v=3", true), ("http://shop.example/", true), ("javascript:alert(1)", false),
            ("https://ana:secret@shop.example/", false), ("mailto:ana@example.com", false), ("/privacy", false),
            ("https:///privacy", false), ("data:text/html,x", false), ("app://privacy", false), ("", false),
        ])
    func noticeURL(_ url: String, _ isTaken: Bool) async throws {
        try await with { listener in
            let digest = String(repeating: "a", count: 64)
            let answer = try await listener.post(
                Self.path,
                #"{"recipient":"ana","notice":{"id":"n","version":"1","language":"en","url":"\#(url)","sha256":"\#(digest)"}}"#
            )
            #expect(answer.status == (isTaken ? 201 : 422))
            if !isTaken { #expect(answer.pointers == ["/notice/url"]) }
        }
    }

    @Test("a second request is 409 and says from when on asking is allowed, and of whom it speaks it does not say")
    func tooSoon() async throws {
        try await with { listener in
            #expect(try await listener.post(Self.path, Self.body()).status == 201)
            let second = try await listener.post(Self.path, Self.body())
            #expect(second.status == 409)
            #expect(second.body.contains("2027-05-21T12:00:00.000Z"))
            #expect(!second.body.contains("ana"))
            _ = try await listener.ask(.patch, "/v1/orgs/acme", pieces: [#"{"askAgainAfterDays":90}"#])
            #expect(try await listener.post(Self.path, Self.body()).body.contains("2027-02-20T12:00:00.000Z"))
            listener.time.advance(byMilliseconds: 90 * 86_400_000)
            #expect(try await listener.post(Self.path, Self.body()).status == 201)
        }
    }

    @Test("the operator's least pause counts for an organization that had set a shorter one before")
    func shorterPause() async throws {
        try await with { listener in
            _ = try await listener.storage.stores.organizations.change(
                OrganizationID("acme"), by: OrganizationChange(askAgainAfterDays: 1), at: .noon)
            #expect(try await listener.post(Self.path, Self.body()).status == 201)
            listener.time.advance(byMilliseconds: 89 * 86_400_000)
            let early = try await listener.post(Self.path, Self.body())
            #expect(early.status == 409 && early.body.contains("2027-02-20T12:00:00.000Z"))
            listener.time.advance(byMilliseconds: 86_400_000)
            #expect(try await listener.post(Self.path, Self.body()).status == 201)
        }
    }

    @Test("somebody who was erased is not asked until they consented anew")
    func erased() async throws {
        try await with { listener in
            _ = try await listener.post("/v1/orgs/acme/recipients/erase", #"{"recipient":"ana@example.com"}"#)
            #expect(try await listener.post(Self.path, Self.body()).status == 409)
            try await listener.consent("ana@example.com", "given")
            #expect(try await listener.post(Self.path, Self.body()).status == 201)
        }
    }

    @Test("a repeated request makes nothing new and answers the same")
    func repeated() async throws {
        try await with { listener in
            let headers: HTTPFields = [.known("Idempotency-Key"): #""once""#]
            let first = try await listener.post(Self.path, Self.body(), headers: headers)
            let second = try await listener.post(Self.path, Self.body(), headers: headers)
            #expect((first.status, second.status) == (201, 201))
            #expect(first.body == second.body)
            let found = try await listener.post("\(Self.path)/query", #"{"recipient":"ana@example.com"}"#)
            #expect(found["requests"]?.items.count == 1)
        }
    }

    @Test("a key that may only read gets no links, which are as good as an answer")
    func reading() async throws {
        try await with { listener in
            let made = try await listener.post(Self.path, Self.body())
            let (reader, recorder) = (try await listener.key("read"), try await listener.key("consent"))
            let path = "\(Self.path)/\(made["id"]?.text ?? "")"
            let read = try await listener.get(path, key: reader)
            #expect(read.status == 200)
            #expect(!read.body.contains("url") && !read.body.contains("/c/"))
            #expect(try await listener.get(path, key: recorder).body == made.body)
            let found = try await listener.post(
                "\(Self.path)/query", #"{"recipient":"ana@example.com"}"#, key: reader)
            #expect(found["requests"]?.items.count == 1 && !found.body.contains("/c/"))
        }
    }

    @Test("the request of another organization is not found")
    func foreign() async throws {
        try await with { listener in
            try await listener.organization("other")
            let id = try await listener.post(Self.path, Self.body())["id"]?.text ?? ""
            #expect(try await listener.get("/v1/orgs/other/consent-requests/\(id)").status == 404)
            #expect(try await listener.get("\(Self.path)/1").status == 404)
            #expect(try await listener.get("\(Self.path)/nonsense").status == 404)
        }
    }

    @Test("the list is of those that wait for a confirmation, and of nothing else")
    func list() async throws {
        try await with { listener in
            _ = try await listener.post(Self.path, Self.body())
            let empty = try await listener.get("\(Self.path)?state=awaitingConfirmation")
            #expect(empty.body == #"{"requests":[],"next":null,"cursor":"0"}"#)
            for query in [
                "", "?state=open", "?state=awaitingConfirmation&after=1", "?state=awaitingConfirmation&limit=0",
            ] {
                #expect(try await listener.get(Self.path + query).status == 422, "\(query)")
            }
        }
    }
}
