import HTTPTypes
import JSON
import Testing

@testable import HTTPAPI

/// Recording consent, and what is refused of it.
@Suite struct ConsentRoutesTests {
    private static let ana = "ana@example.com"

    @Test("consent is recorded, and its history says what is in force")
    func consent() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let made = try await listener.post(
                "/v1/orgs/acme/consents",
                #"[{"recipient":"\#(Self.ana)","state":"given","evidence":{"method":"form","notice":{"id":"n1"}}},"#
                    + #"{"recipient":"\#(Self.ana)","state":"given","purpose":"offers","occurredAt":"2026-11-01T00:00:00Z"}]"#
            )
            #expect(made.status == 201)
            #expect(made["consents"]?.items.count == 2)
            listener.time.advance(byMilliseconds: 1000)
            try await listener.consent(Self.ana, "withdrawn")
            let history = try await listener.post("/v1/orgs/acme/consents/query", #"{"recipient":"\#(Self.ana)"}"#)
            #expect(history["recipient"]?.text == Self.ana)
            #expect(history["history"]?.items.count == 3)
            let states = (history["history"]?.items ?? []).map { $0["state"]?.text }
            #expect(states.filter { $0 == "given" }.count == 2)
            #expect(history["current"]?.text.contains("withdrawn") == true)
            #expect(history["history"]?.text.contains(#""method":"form""#) == true)
        }
    }

    @Test(
        "a long history is answered whole and in order, in pieces, with what is in force behind it",
        arguments: [199, 200, 450])
    func longHistory(_ count: Int) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let record = #"{"recipient":"ana","state":"given"}"#
            let records = [String](repeating: record, count: count).joined(separator: ",")
            let made = try await listener.post("/v1/orgs/acme/consents", "[\(records)]")
            let answer = try await listener.post("/v1/orgs/acme/consents/query", #"{"recipient":"ana"}"#)
            let (stored, history) = (
                made["consents"]?.items.map { $0["id"]?.text }, answer["history"]?.items.map { $0["id"]?.text }
            )
            #expect(history?.count == count && history == stored)
            #expect(answer["recipient"]?.text == "ana")
            #expect(answer["current"]?.items.isEmpty == false || answer["current"]?["state"] != nil)
            #expect((answer.pieces.count > 1) == (count > 200))
        }
    }

    @Test(
        "a record that does not fit is named by its index, and none of the others is recorded",
        arguments: [
            (#"{"recipient":"","state":"given"}"#, "/1/recipient"), (#"{"state":"given"}"#, "/1/recipient"),
            (#"{"recipient":"bo","state":"maybe"}"#, "/1/state"), (#"{"recipient":"bo"}"#, "/1/state"),
            (#"{"recipient":"bo","state":"given","occurredAt":"2030-01-01T00:00:00Z"}"#, "/1/occurredAt"),
            (#"{"recipient":"bo","state":"withdrawn","validUntil":"2030-01-01T00:00:00Z"}"#, "/1/validUntil"),
            (#"{"recipient":"bo","state":"given","validUntil":"2020-01-01T00:00:00Z"}"#, "/1/validUntil"),
            (#"{"recipient":"bo","state":"given","purpose":""}"#, "/1/purpose"),
            (#"{"recipient":"bo","state":"given","evidence":{"notice":{"page":1}}}"#, "/1/evidence/notice/page"),
            ("1", "/1"),
        ])
    func refused(_ record: String, _ pointer: String) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let answer = try await listener.post(
                "/v1/orgs/acme/consents", #"[{"recipient":"\#(Self.ana)","state":"given"},\#(record)]"#)
            #expect(answer.status == 422)
            #expect(answer.pointers == [pointer])
            let history = try await listener.post("/v1/orgs/acme/consents/query", #"{"recipient":"\#(Self.ana)"}"#)
            #expect(history["history"]?.items == [])
        }
    }

    @Test("an organization that asks for evidence gets no yes without it, and any no")
    func evidence() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            _ = try await listener.ask(.patch, "/v1/orgs/acme", pieces: [#"{"requireEvidence":true}"#])
            func record(_ body: String) async throws -> ListenerAnswer {
                try await listener.post("/v1/orgs/acme/consents", body)
            }
            let proven = #"{"recipient":"bo","state":"given","evidence":{"method":"form","notice":{"id":"n1"}}}"#
            for (record, pointers) in [
                (#"{"recipient":"ana","state":"given"}"#, ["/evidence/method", "/evidence/notice"]),
                (#"{"recipient":"ana","state":"given","evidence":{"method":"form"}}"#, ["/evidence/notice"]),
                (#"{"recipient":"ana","state":"given","evidence":{"notice":{"id":"n1"}}}"#, ["/evidence/method"]),
            ] {
                let alone = try await listener.post("/v1/orgs/acme/consents", record)
                #expect(alone.status == 422 && alone.pointers == pointers, "\(record)")
                let list = try await listener.post("/v1/orgs/acme/consents", "[\(proven),\(record)]")
                #expect(list.pointers == pointers.map { "/1" + $0 }, "\(record)")
            }
            let before = try await listener.post("/v1/orgs/acme/consents/query", #"{"recipient":"bo"}"#)
            #expect(before["history"]?.items == [])
            #expect(try await record(proven).status == 201)
            #expect(try await record(#"{"recipient":"ana","state":"refused"}"#).status == 201)
            _ = try await listener.ask(.patch, "/v1/orgs/acme", pieces: [#"{"requireEvidence":false}"#])
            #expect(try await record(#"{"recipient":"ana","state":"given"}"#).status == 201)
        }
    }

    @Test("a request that was answered is answered again, although evidence is asked for since")
    func evidenceReplayed() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            func record() async throws -> ListenerAnswer {
                try await listener.ask(
                    .post, "/v1/orgs/acme/consents", pieces: [#"{"recipient":"ana","state":"given"}"#],
                    headers: [.known("Idempotency-Key"): #""once""#])
            }
            let first = try await record()
            _ = try await listener.ask(.patch, "/v1/orgs/acme", pieces: [#"{"requireEvidence":true}"#])
            let second = try await record()
            #expect((first.status, second.status) == (201, 201))
            #expect(first.body == second.body)
        }
    }
}
