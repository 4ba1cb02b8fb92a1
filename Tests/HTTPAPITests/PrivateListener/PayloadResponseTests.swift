import HTTPTypes
import JSON
import Testing

@testable import HTTPAPI

/// Answers to many recipients of a large mail, which are written in pieces.
@Suite struct PayloadResponseTests {
    private static let people = (0..<60).map { "person-\($0)@people.example" }
    private static let html = "<p>" + String(repeating: "A long mail. ", count: 6_000) + "</p>"

    /// Recipients, and their mails.
    private func order(_ people: [String], isPreview: Bool = true) -> String {
        let list = people.map { "\"\($0)\"" }.joined(separator: ",")
        return """
            {"message":{"name":"sale","html":"\(Self.html)"},"format":"email","preview":\(isPreview),"recipients":[\(list)]}
            """
    }

    private func payloads(_ answer: ListenerAnswer) -> [String] { answer["payloads"]?.items.map(\.text) ?? [] }

    @Test("no more of it than a megabyte and one payload is rendered at once, as a document and as lines")
    func pieces() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization(enforcement: "nonRestrictive")
            let bound = 1 << 20 + 2 * Self.html.utf8.count
            let document = try await listener.post("/v1/orgs/acme/payloads", order(Self.people))
            #expect(document.status == 200)
            #expect(document.pieces.count > 3 && document.pieces.allSatisfy { $0 < bound })
            let lines = try await listener.post(
                "/v1/orgs/acme/payloads", order(Self.people), headers: [.accept: "application/x-ndjson"])
            #expect(lines.pieces.count > 3 && lines.pieces.allSatisfy { $0 < bound })

            var expected: [String] = []
            for person in Self.people.prefix(3) {
                let alone = try await listener.post("/v1/orgs/acme/payloads", order([person]))
                #expect(alone.pieces.count == 1 && alone.headers[.contentType] == document.headers[.contentType])
                expected += payloads(alone)
            }
            #expect(Array(payloads(document).prefix(3)) == expected)
            #expect(payloads(document) == lines.lines.map(\.text))
            #expect(document["payloads"]?.items.map { $0["recipient"]?.text } == Self.people)
        }
    }

    @Test("what is composed is stored whole before the first piece, and every payload has its own decision")
    func composed() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization(enforcement: "nonRestrictive")
            let answer = try await listener.post("/v1/orgs/acme/payloads", order(Self.people, isPreview: false))
            #expect(answer.pieces.count > 3)
            #expect(answer["message"]?.text.isEmpty == false)
            let decisions = answer["payloads"]?.items.compactMap { $0["decision"]?["id"]?.text ?? $0["decision"]?.text }
            #expect(Set(decisions ?? []).count == Self.people.count)
        }
    }
}
