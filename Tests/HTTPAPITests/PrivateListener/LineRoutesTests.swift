import HTTPTypes
import JSON
import Testing

@testable import HTTPAPI

/// Requests of lines that are answered with lines.
@Suite struct LineRoutesTests {
    private static let type = "application/x-ndjson"

    private func statuses(_ answer: ListenerAnswer) -> [String] {
        answer.lines.map { $0["error"]?["status"]?.text ?? $0["state"]?.text ?? $0["tracked"]?.text ?? "?" }
    }

    @Test(
        "each line of consents is answered in its place, and what does not fit hinders no other",
        arguments: [1, 7, 1000])
    func consents(_ length: Int) async throws {
        let lines = [
            #"{"recipient":"ana","state":"given"}"#, "{", #"{"recipient":"","state":"given"}"#, "",
            #"{"recipient":"bo","state":"withdrawn"}"#, "[]", #"{"recipient":"cy","state":"given","x":1}"#,
        ]
        let body = Array(lines.joined(separator: "\n").utf8)
        let pieces = stride(from: 0, to: body.count, by: length).map { start in
            String(decoding: body[start..<min(start + length, body.count)], as: UTF8.self)
        }
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let answer = try await listener.ask(.post, "/v1/orgs/acme/consents", pieces: pieces, type: Self.type)
            #expect(answer.status == 200)
            #expect(answer.headers[.contentType]?.hasPrefix(Self.type) == true)
            let found = statuses(answer)
            #expect(found.first == "given" && found.contains("withdrawn"))
            #expect(found.filter { $0 == "400" }.count >= 1 && found.filter { $0 == "422" }.count >= 3)
            for (recipient, count) in [("ana", 1), ("bo", 1), ("cy", 0)] {
                let history = try await listener.post(
                    "/v1/orgs/acme/consents/query", #"{"recipient":"\#(recipient)"}"#)
                #expect(history["history"]?.items.count == count, "\(recipient)")
            }
        }
    }

    @Test("a line that does not end counts against the budget of all bodies, short ones do not")
    func budget() async throws {
        let bodies = BodyBudget(1 << 20)
        try await PrivateListenerFixture.with(bodies: bodies) { listener in
            try await listener.organization()
            let endless = [String](repeating: String(repeating: "x", count: 100_000), count: 12)
            let refused = try await listener.ask(
                .post, "/v1/orgs/acme/rewrites", pieces: ["{"] + endless, type: Self.type)
            #expect(refused.status == 503)
            #expect(bodies.bytesTaken == 0)

            let lines = [String](repeating: #"{"recipient":"ana","state":"given"}"# + "\n", count: 1_000).joined()
            let taken = try await listener.ask(
                .post, "/v1/orgs/acme/consents", pieces: [String](repeating: lines, count: 40), type: Self.type)
            #expect(taken.lines.count == 40_000)
            #expect(bodies.bytesTaken == 0)
        }
    }

    @Test("a line without the evidence that is asked for is refused, and hinders no other")
    func evidence() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            _ = try await listener.ask(.patch, "/v1/orgs/acme", pieces: [#"{"requireEvidence":true}"#])
            let lines = [
                #"{"recipient":"ana","state":"given"}"#,
                #"{"recipient":"bo","state":"given","evidence":{"method":"form","notice":{"id":"n1"}}}"#,
                #"{"recipient":"cy","state":"withdrawn"}"#,
                #"{"recipient":"dee","state":"given","evidence":{"method":"form"}}"#,
            ]
            let answer = try await listener.post(
                "/v1/orgs/acme/consents", lines.joined(separator: "\n"), type: Self.type)
            #expect(statuses(answer) == ["422", "given", "withdrawn", "422"])
            let pointers = answer.lines.map { line in
                (line["error"]?["errors"]?.items ?? []).map { $0["pointer"]?.text }
            }
            #expect(pointers == [["/evidence/method", "/evidence/notice"], [], [], ["/evidence/notice"]])
        }
    }

    @Test("a line that is too long is refused by itself, and the next one is read")
    func longLine() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let long = #"{"recipient":""# + String(repeating: "x", count: 70_000)
            let body = long + "\n" + #"{"recipient":"ana","state":"given"}"# + "\n"
            let answer = try await listener.post("/v1/orgs/acme/consents", body, type: Self.type)
            #expect(statuses(answer) == ["413", "given"])
            #expect(!answer.body.contains("xxxx"))
        }
    }

    @Test("many lines are answered by as many, in order")
    func many() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let pieces = (0..<3000).map { #"{"recipient":"p\#($0)@example.com","state":"given"}"# + "\n" }
            let answer = try await listener.ask(.post, "/v1/orgs/acme/consents", pieces: pieces, type: Self.type)
            #expect(answer.lines.map { $0["recipient"]?.text } == (0..<3000).map { "p\($0)@example.com" })
        }
    }

    @Test("no lines are answered with none")
    func empty() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let answer = try await listener.post("/v1/orgs/acme/consents", "", type: Self.type)
            #expect((answer.status, answer.body) == (200, ""))
        }
    }

    @Test("lines of an organization that does not exist are refused before the first")
    func unknown() async throws {
        try await PrivateListenerFixture.with { listener in
            let answer = try await listener.post("/v1/orgs/nobody/consents", "{}\n", type: Self.type)
            #expect(answer.status == 404)
            #expect(answer.headers[.contentType] == "application/problem+json")
        }
    }

    @Test("a message is composed for recipients that come by the line, each with its decision or its refusal")
    func payloads() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            try await listener.consent("ana@example.com", "given")
            let order = #"{"message":{"name":"sale","link":"https://shop.example/a"},"format":"plain"}"#
            let body = [order, #""ana@example.com""#, "{}", #""""#, #""bo@example.com""#].joined(separator: "\n")
            let answer = try await listener.post("/v1/orgs/acme/payloads", body, type: Self.type)
            #expect(answer.status == 200)
            #expect(statuses(answer) == ["true", "422", "422", "false"])
            #expect(try await listener.get("/v1/orgs/acme/decisions")["decisions"]?.items.count == 2)
        }
    }

    @Test(
        "an order that does not fit is refused as a whole",
        arguments: [
            ("", 400), ("{", 400), (#"{"format":"plain"}"#, 422), (#"{"message":{"name":"x"},"format":"fax"}"#, 422),
        ])
    func order(_ order: String, _ status: Int) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let answer = try await listener.post("/v1/orgs/acme/payloads", order + "\n\"ana\"\n", type: Self.type)
            #expect(answer.status == status)
            #expect(answer.headers[.contentType] == "application/problem+json")
        }
    }
}
