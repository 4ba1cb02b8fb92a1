import JSON
import TestSupport
import Testing

@testable import HTTPAPI

/// What relays ask for.
@Suite struct DeliveryRoutesTests {
    private static let take = "/v1/orgs/acme/deliveries/take"
    private static let report = "/v1/orgs/acme/deliveries/report"
    private static let earlier = #""relay":{"id":"relay-0123456789abcdef","process":"001795348800000-a"}"#
    private static let later = #""relay":{"id":"relay-0123456789abcdef","process":"001795348800001-a"}"#

    /// Gives `body` a listener at which one event is due.
    private func withEvent(_ body: (PrivateListenerFixture, _ key: String) async throws -> Void) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let made = try await listener.post(
                "/v1/orgs/acme/endpoints", #"{"url":"https://crm.example/hooks","kinds":["consent.recorded"]}"#)
            #expect(made.status == 201)
            try await listener.consent("ana", "given")
            try await body(listener, try await listener.key("deliver"))
        }
    }

    @Test("an answer says how long the request had waited, for the relay counts its lease from then")
    func waited() async throws {
        try await withEvent { listener, key in
            let taken = try await listener.post(Self.take, "{\(Self.later)}", key: key)
            #expect(taken.status == 200 && taken["deliveries"]?.items.count == 1)
            #expect(Int(taken["waitedMilliseconds"]?.text ?? "").map { $0 >= 0 } == true)
        }
    }

    @Test("a relay that runs twice is told so, and the process that began later delivers")
    func twice() async throws {
        try await withEvent { listener, key in
            let first = try await listener.post(Self.take, "{\(Self.earlier)}", key: key)
            let taken = try await listener.post(Self.take, "{\(Self.later)}", key: key)
            #expect(first["deliveries"]?.items.count == 1 && taken["deliveries"]?.items.count == 1)
            func told(_ relay: String, _ answer: ListenerAnswer) -> String {
                let token = answer["deliveries"]?.items.first?["delivery"]?.text ?? ""
                return #"{\#(relay),"delivery":"\#(token)","milliseconds":1,"status":204}"#
            }
            let refusals = [
                try await listener.post(Self.take, "{\(Self.earlier)}", key: key),
                try await listener.post(Self.report, told(Self.earlier, first), key: key),
            ]
            for refused in refusals {
                #expect(refused.status == 409)
                #expect(
                    refused["detail"]?.text
                        == "This relay runs twice: another process with the same folder began later.")
            }
            #expect(try await listener.post(Self.report, told(Self.later, taken), key: key).status == 200)
        }
    }
}
