import HTTPTypes
import Identifiers
import JSON
import TestSupport
import Testing
import UseCases

@testable import HTTPAPI

/// The consent feed, as backends read it.
@Suite struct ConsentFeedRoutesTests {
    private static let path = "/v1/orgs/acme/consents"

    @Test("a record is told whole and an erasure names nobody, in pages and in lines")
    func members() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            try await listener.consent("ana", "given")
            try await listener.consent("bo", "refused")
            let erased = try await listener.post("/v1/orgs/acme/recipients/erase", #"{"recipient":"ana"}"#)
            #expect(erased.status == 200)
            let page = try await listener.get(Self.path)
            let items = page["changes"]?.items ?? []
            #expect(items.map { $0["kind"]?.text } == ["consent.recorded", "consent.recorded", "recipient.erased"])
            #expect(items.map { $0["consent"]?["recipient"]?.text } == ["null", "bo", nil])
            #expect(items.last?["erasure"]?.text == #"{"consents":1,"decisions":0,"interactions":0}"#)
            #expect(items.last?["erasedAt"]?.text == "2026-11-22T12:00:00.000Z")
            #expect(page["next"] == .null && page["cursor"] == items.last?["cursor"])
            let lines = try await listener.get(Self.path, accept: "application/x-ndjson")
            #expect(lines.lines == items)
            #expect(!page.body.contains("ana"))
        }
    }

    @Test("a reader who follows the cursor gets each change once, and each item's own cursor is a place, too")
    func cursor() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            for number in 0..<5 { try await listener.consent("person-\(number)", "given") }
            var (read, cursor) = ([String](), "0")
            repeat {
                let page = try await listener.get("\(Self.path)?limit=2&after=\(cursor)")
                read += (page["changes"]?.items ?? []).map { $0["consent"]?["recipient"]?.text ?? "" }
                #expect(page["next"] == .null || page["next"]?.text == page["cursor"]?.text)
                cursor = page["cursor"]?.text ?? ""
                if page["next"] == .null { break }
            } while read.count < 9
            #expect(read == (0..<5).map { "person-\($0)" })
            let empty = try await listener.get("\(Self.path)?after=\(cursor)")
            #expect(empty["changes"]?.items.isEmpty == true && empty["cursor"]?.text == cursor)
            let all = try await listener.get(Self.path)
            let second = all["changes"]?.items[1]["cursor"]?.text ?? ""
            #expect(try await listener.get("\(Self.path)?after=\(second)")["changes"]?.items.count == 3)
        }
    }

    @Test("a page ends where its evidence is long, and a stream does not")
    func longEvidence() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let text = String(repeating: "x", count: 4_096)
            let notice = ["id", "version", "language", "sha256"].map { #""\#($0)":"\#(text)""# }
            let members = ["method", "source", "actor", "language"].map { #""\#($0)":"\#(text)""# }
            let evidence = "{\(members.joined(separator: ",")),\"notice\":{\(notice.joined(separator: ","))}}"
            let records = (0..<70).map { #"{"recipient":"person-\#($0)","state":"given","evidence":\#(evidence)}"# }
            #expect(try await listener.post(Self.path, "[\(records.joined(separator: ","))]").status == 201)
            let first = try await listener.get("\(Self.path)?limit=1000")
            // 64 of 32 KiB are 2 MiB.
            #expect(first["changes"]?.items.count == 64)
            let cursor = try #require(first["next"]?.text)
            let rest = try await listener.get("\(Self.path)?limit=1000&after=\(cursor)")
            #expect(rest["changes"]?.items.count == 6 && rest["next"] == .null)
            let lines = try await listener.get(Self.path, accept: "application/x-ndjson")
            #expect(lines.lines == (first["changes"]?.items ?? []) + (rest["changes"]?.items ?? []))
        }
    }

    @Test(
        "what is no cursor, no limit and no time to wait is refused by name",
        arguments: [
            ("after", "p3357d7d9f4000001"), ("after", "e"), ("after", "e01"), ("after", "e-1"), ("after", "e999"),
            ("after", "e1."), ("after", "e1.0"), ("after", "e1.A1"), ("after", "e1.1.1"), ("after", "e.1"),
            ("after", "r"), ("after", ""), ("wait", "31"), ("wait", "-1"), ("wait", "x"), ("limit", "0"),
            ("kind", "x"),
        ])
    func misfits(_ name: String, _ value: String) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let answer = try await listener.get("\(Self.path)?\(name)=\(value)")
            #expect(answer.status == 422 && answer.pointers == ["/\(name)"], "\(answer.body)")
        }
    }

    @Test(
        "a reader whose key is deleted while it waits gets nothing of what comes then",
        arguments: ["application/json", "application/x-ndjson"])
    func deleted(_ type: String) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let answer = try await listener.answer(afterDeletionOf: "read") {
                try await listener.consent("ana", "given")
            } _: { key in
                try await listener.get("\(Self.path)?wait=30", key: key, accept: type)
            }
            #expect(answer.status == 401 && answer.headers[.wwwAuthenticate] == "Bearer")
            #expect(!answer.body.contains("ana"))
        }
    }

    @Test("a reader who waits is answered by the next change, and one too many is told to ask without waiting")
    func waiting() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            async let change = listener.get("\(Self.path)?wait=30")
            async let lines = listener.get("\(Self.path)?wait=30", accept: "application/x-ndjson")
            try #require(await eventually { listener.watch.waiting >= 2 })
            #expect(try await listener.get("\(Self.path)?wait=30").status == 503)
            #expect(try await listener.get(Self.path).status == 200)
            try await listener.consent("ana", "given")
            #expect(try await change["changes"]?.items.count == 1)
            #expect(try await lines.lines.count == 1)
            #expect(try await listener.get("\(Self.path)?wait=30").status == 200)
        }
    }
}
