import HTTPTypes
import Testing

@testable import HTTPAPI

@Suite struct MessageRoutesTests {
    @Test(
        "a message ends by the end of the day on which the lifetime of links does, at a time that a link can carry",
        arguments: [
            ("2026-12-23T00:00:00Z", 201), ("2026-11-22T12:00:00.001Z", 201), ("2026-11-22T12:00:00Z", 422),
            ("2026-11-22T11:59:59Z", 422), ("2026-12-23T00:00:00.001Z", 422), ("2107-01-01T00:00:00Z", 422),
            ("1969-12-31T23:59:59Z", 422), ("tomorrow", 422),
        ])
    func expiresAt(_ time: String, _ status: Int) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let answer = try await listener.post(
                "/v1/orgs/acme/messages", #"{"name":"sale","expiresAt":"\#(time)"}"#)
            #expect(answer.status == status, "\(answer.body)")
            #expect(answer.pointers == (status == 422 ? ["/expiresAt"] : []))
        }
    }

    @Test("a message that has ended is made no more, and one that was made before goes on")
    func ended() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            func body(_ end: String, _ more: String = "") -> String {
                #"{"message":{"name":"sale","expiresAt":"\#(end)"},"format":"plain","recipients":["ana@example.com"]\#(more)}"#
            }
            let path = "/v1/orgs/acme/payloads"
            let made = try await listener.post(path, body("2026-11-22T12:00:01Z"))
            #expect(made.status == 200)
            listener.time.advance(byMilliseconds: 2000)
            for preview in ["", #","preview":true"#] {
                let again = try await listener.post(path, body("2026-11-22T12:00:01Z", preview))
                #expect(again.status == 200 && again["message"] == made["message"])
                let new = try await listener.post(path, body("2026-11-22T12:00:02Z", preview))
                #expect(new.status == 422)
                #expect(new.pointers == ["/message/expiresAt"])
                #expect(new.body.contains("must be later than now"))
            }
            let alone = try await listener.post(
                "/v1/orgs/acme/messages", #"{"name":"sale","expiresAt":"2026-11-22T12:00:01Z"}"#)
            #expect(alone.status == 200)
        }
    }

    @Test("a repeated request is answered with the status of its first answer: 201 where it made, 200 where it found")
    func repeated() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            func save(under key: String) async throws -> ListenerAnswer {
                try await listener.post(
                    "/v1/orgs/acme/messages", #"{"name":"sale","link":"https://shop.example/a"}"#,
                    headers: [.known("Idempotency-Key"): #""\#(key)""#])
            }
            let made = try await save(under: "one")
            let found = try await save(under: "two")
            #expect((made.status, found.status) == (201, 200))
            for (key, status) in [("two", 200), ("one", 201), ("two", 200)] {
                let again = try await save(under: key)
                #expect(again.status == status && again.body == made.body, "\(key)")
            }
        }
    }
}
