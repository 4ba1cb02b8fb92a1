import HTTPTypes
import Testing

@testable import HTTPAPI

@Suite struct MessageRoutesTests {
    @Test(
        "a message ends by the end of the day on which the lifetime of links does, at a time that a link can carry",
        arguments: [
            ("2026-12-23T00:00:00Z", 201), ("2026-11-22T11:59:59Z", 201), ("2026-12-23T00:00:00.001Z", 422),
            ("2107-01-01T00:00:00Z", 422), ("1969-12-31T23:59:59Z", 422), ("tomorrow", 422),
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
}
