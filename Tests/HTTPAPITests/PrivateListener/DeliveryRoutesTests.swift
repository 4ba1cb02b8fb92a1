import HTTPTypes
import Identifiers
import JSON
import SQLStorage
import SQLiteStorage
import TestSupport
import Testing
import Webhooks

@testable import HTTPAPI

/// What relays ask for.
@Suite struct DeliveryRoutesTests {
    private static let take = "/v1/orgs/acme/deliveries/take"
    private static let renew = "/v1/orgs/acme/deliveries/renew"
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

    @Test("an endpoint whose secret does not open stops no other one; its attempts and the log say so")
    func unreadableSecret() async throws {
        try await withEvent { listener, key in
            let broken = try #require(try await makeUnreadable(listener))
            try await listener.consent("bo", "given")
            let taken = try await listener.post(Self.take, #"{\#(Self.later),"limit":16}"#, key: key)
            #expect(taken.status == 200)
            #expect(taken["deliveries"]?.items.map { $0["url"]?.text } == ["https://crm.example/hooks"])
            let path = "/v1/orgs/acme/endpoints/\(broken.id)"
            let attempts = try await listener.get(path + "/attempts")
            #expect(attempts["attempts"]?.items.map { $0["reason"]?.text } == ["secretUnreadable"])
            #expect(try await listener.get(path)["failures"]?.text == "1")
            #expect(listener.log.all.contains { $0.contains("secret") && $0.contains("endpoint=\(broken.id)") })

            #expect(try await listener.post(path + "/secret", "").status == 200)
            #expect(try await listener.post(path + "/test", "").status == 202)
            let repaired = try await listener.post(Self.take, #"{\#(Self.later),"limit":16}"#, key: key)
            #expect(repaired["deliveries"]?.items.map { $0["endpoint"]?.text } == ["\(broken.id)"])
            let signatures = repaired["deliveries"]?.items.first?["webhookSignature"]?.text
            #expect(signatures?.split(separator: " ").count == 1)
        }
    }

    @Test("a report is answered when the next event of its endpoint cannot be signed")
    func unreadableNext() async throws {
        try await withEvent { listener, key in
            try await listener.consent("bo", "given")
            let taken = try await listener.post(Self.take, "{\(Self.later)}", key: key)
            let delivery = try #require(taken["deliveries"]?.items.first)
            let endpoint = try #require(try await Self.endpoints(listener).first)
            _ = try await listener.storage.stores.endpoints.rotate(endpoint.id, to: [1], in: Self.acme, at: .noon)
            let token = delivery["delivery"]?.text ?? ""
            let told = #"{\#(Self.later),"delivery":"\#(token)","milliseconds":1,"status":204}"#
            let reported = try await listener.post(Self.report, told, key: key)
            #expect(reported.status == 200 && reported["next"]?.text == "null")
            let attempts = try await listener.get("/v1/orgs/acme/endpoints/\(endpoint.id)/attempts")
            #expect(attempts["attempts"]?.items.map { $0["reason"]?.text } == ["null", "secretUnreadable"])
        }
    }

    @Test("a delivery that was not sent yet is given anew: who was erased is not in it, and it is signed again")
    func renewal() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let made = try await listener.post(
                "/v1/orgs/acme/endpoints",
                #"{"url":"https://crm.example/hooks","kinds":["consent.recorded"],"include":["recipient"]}"#)
            try await listener.consent("ana", "given")
            let key = try await listener.key("deliver")
            let taken = try await listener.post(Self.take, "{\(Self.later)}", key: key)
            let first = try #require(taken["deliveries"]?.items.first)
            #expect(first["body"]?.text.contains("ana") == true)
            _ = try await listener.post("/v1/orgs/acme/recipients/erase", #"{"recipient":"ana"}"#)
            let asked = #"{\#(Self.later),"delivery":"\#(first["delivery"]?.text ?? "")"}"#
            let renewed = try await listener.post(Self.renew, asked, key: key)
            #expect(renewed.status == 200)
            for member in ["delivery", "endpoint", "url", "webhookId", "contentType"] {
                #expect(renewed[member]?.text == first[member]?.text)
            }
            #expect(renewed["body"]?.text.contains("ana") == false)
            #expect(renewed["webhookSignature"]?.text != first["webhookSignature"]?.text)
            let path = "/v1/orgs/acme/endpoints/\(made["id"]?.text ?? "")"
            #expect(try await listener.ask(.delete, path, pieces: []).status == 204)
            let refused = try await listener.post(Self.renew, asked, key: key)
            #expect(refused.status == 409)
            #expect(
                refused["detail"]?.text
                    == "The delivery is another relay's by now, or its endpoint was changed.")
        }
    }

    @Test("a relay's calls use up no quota of the organization, nor does a used-up quota hold them up")
    func quota() async throws {
        try await withEvent { listener, key in
            let set = try await listener.ask(
                .patch, "/v1/orgs/acme", pieces: [#"{"quotas":{"requestsPerMinute":2}}"#])
            #expect(set.status == 200)
            let managing = try await listener.key("manage")
            func manages() async throws -> Int { try await listener.get("/v1/orgs/acme", key: managing).status }
            for _ in 0..<4 {
                #expect(try await listener.post(Self.take, "{\(Self.later)}", key: key).status == 200)
            }
            #expect(try await manages() == 200)
            // A key that is no relay's uses up the quota here, too.
            #expect(try await listener.post(Self.take, "{\(Self.later)}", key: managing).status == 403)
            #expect(try await manages() == 429)
            #expect(try await listener.post(Self.take, "{\(Self.later)}", key: key).status == 200)
            let told = #"{\#(Self.later),"delivery":"AA","milliseconds":1,"status":204}"#
            #expect(try await listener.post(Self.report, told, key: key).status == 409)
        }
    }

    private static var acme: OrganizationID { get throws { try OrganizationID("acme") } }

    private static func endpoints(_ listener: PrivateListenerFixture) async throws -> [Endpoint] {
        try await listener.storage.stores.endpoints.endpoints(of: acme) ?? []
    }

    /// Makes an endpoint with a secret that no key has sealed.
    private func makeUnreadable(_ listener: PrivateListenerFixture) async throws -> Endpoint? {
        try await listener.storage.stores.endpoints.create(
            NewEndpoint(
                url: try EndpointURL("https://broken.example/"), kinds: [.consentRecorded], includesRecipient: false),
            secret: [1, 2, 3], in: Self.acme, at: .noon)
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
