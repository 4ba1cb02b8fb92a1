import Identifiers
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

    @Test("a delivery is signed at the time that the system's clock shows, also while service time is ahead of it")
    func signingTime() async throws {
        try await withEvent { listener, key in
            listener.time.advance(byMilliseconds: 2 * 3_600_000)
            listener.wallClock.advance(byMilliseconds: 5000)
            let taken = try await listener.post(Self.take, "{\(Self.later)}", key: key)
            let signedAt = taken["deliveries"]?.items.first?["webhookTimestamp"]?.text
            #expect(signedAt == "\(Timestamp.noon.millisecondsSince1970 / 1000 + 5)")
        }
    }

    @Test("a relay whose key is deleted while it waits gets nothing, and another one gets what came then")
    func deleted() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            _ = try await listener.post(
                "/v1/orgs/acme/endpoints", #"{"url":"https://crm.example/hooks","kinds":["consent.recorded"]}"#)
            let answer = try await listener.answer(afterDeletionOf: "deliver") {
                try await listener.consent("ana", "given")
            } _: { key in
                try await listener.post(Self.take, #"{\#(Self.earlier),"wait":30}"#, key: key)
            }
            #expect(answer.status == 401 && answer["deliveries"] == nil)
            let other = #"{"relay":{"id":"another-relay-0123","process":"001795348800000-a"}}"#
            let taken = try await listener.post(Self.take, other, key: try await listener.key("deliver"))
            #expect(taken["deliveries"]?.items.count == 1, "nothing was leased with the key that was deleted")
        }
    }

    @Test(
        "what is wrong with a relay's name is said of the name",
        arguments: [
            (#""id":"short","process":"001795348800000-a""#, "/relay/id"),
            (#""id":"relay-0123456789abcdef","process":"\#(String(repeating: "p", count: 65))""#, "/relay/process"),
            (#""id":"relay 0123456789abcdef","process":"001795348800000-a""#, "/relay/id"),
        ])
    func names(_ members: String, _ pointer: String) async throws {
        try await withEvent { listener, key in
            let answer = try await listener.post(Self.take, "{\"relay\":{\(members)}}", key: key)
            #expect(answer.status == 422 && answer.pointers == [pointer])
            #expect(answer["errors"]?.items.first?["detail"]?.text == "must be 16 to 64 letters, digits, - and _")
        }
    }

    @Test(
        "a report has a status or a reason",
        arguments: [
            (#","status":204,"reason":"notSecure""#, "/reason", "must not be set beside status"),
            ("", "/status", "is required, or reason"),
        ])
    func outcomes(_ members: String, _ pointer: String, _ detail: String) async throws {
        try await withEvent { listener, key in
            let told = #"{\#(Self.later),"delivery":"AA","milliseconds":1\#(members)}"#
            let answer = try await listener.post(Self.report, told, key: key)
            #expect(answer.status == 422 && answer.pointers == [pointer])
            #expect(answer["errors"]?.items.first?["detail"]?.text == detail)
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
