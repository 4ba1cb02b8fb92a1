import HTTPTypes
import JSON
import Testing

@testable import HTTPAPI

/// Quotas that the operator gives an organization.
@Suite struct OrganizationQuotaTests {
    @Test("a quota of requests holds for keys, says when to come again, and not for the operator")
    func quota() async throws {
        try await PrivateListenerFixture.with { listener in
            let made = try await listener.post(
                "/v1/orgs", #"{"id":"acme","enforcement":"restrictive","quotas":{"requestsPerMinute":2}}"#)
            let key = made["key", "key"]?.text ?? ""
            var statuses: [Int] = []
            var refusal: ListenerAnswer?
            for _ in 0..<50 {
                let answer = try await listener.get("/v1/orgs/acme", key: key)
                statuses.append(answer.status)
                if answer.status == 429 { refusal = answer }
            }
            #expect(statuses.first == 200)
            let limited = try #require(refusal)
            #expect(Int(limited.headers[.retryAfter] ?? "") ?? 0 > 0)
            #expect(limited["detail"]?.text.contains("requestsPerMinute, which is 2") == true)
            #expect(try await listener.get("/v1/orgs/acme").status == 200)
        }
    }

    @Test("a quota that the operator changes counts from the next request on")
    func changed() async throws {
        try await PrivateListenerFixture.with { listener in
            let key = try await listener.organization()
            func change(_ quotas: String) async throws {
                let answer = try await listener.ask(.patch, "/v1/orgs/acme", pieces: [#"{"quotas":\#(quotas)}"#])
                #expect(answer.status == 200)
            }
            func statuses() async throws -> Set<Int> {
                var statuses: Set<Int> = []
                for _ in 0..<20 { statuses.insert(try await listener.get("/v1/orgs/acme", key: key).status) }
                return statuses
            }
            #expect(try await statuses() == [200])
            try await change(#"{"requestsPerMinute":2}"#)
            #expect(try await statuses().contains(429))
            try await change("{}")
            #expect(try await statuses() == [200])
        }
    }
}
