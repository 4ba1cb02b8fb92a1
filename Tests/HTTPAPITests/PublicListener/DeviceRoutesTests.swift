import Consent
import HTTPTypes
import Identifiers
import Interactions
import Messages
import SQLStorage
import SQLiteStorage
import Synchronization
import TestSupport
import Testing
import TrackingIDs

@testable import HTTPAPI

/// What apps report in the words of their systems.
@Suite struct DeviceRoutesTests {
    private static let dynamics = "/api/v1.0/orgs/acme/pushchannel/event/trackings"
    private static let dynamics2 = "/api/v1.0/orgs/acme/pushdatareceiver/events"
    private static let bird = "/bird/v1/orgs/acme/interactions"

    /// A hit of an Adobe SDK: its spelling of a tracking ID is hexadecimal.
    private static func hit(
        _ service: PublicServiceFixture, _ message: StoredMessage, _ reference: RecipientReference,
        delivery: String? = nil, link: UInt16 = 0
    ) throws -> String {
        let sealed = try TrackingIDSealer(keyRing: service.listener.keys.value).bytes(
            of: TrackingID(
                message: message.id, recipient: reference, link: LinkIndex(rawValue: link),
                expiry: LinkExpiry(secondsSince1970: 1_811_030_400)))
        let digits = Array("0123456789abcdef")
        let text = sealed.indices.map { String([digits[Int(sealed[$0] >> 4)], digits[Int(sealed[$0] & 15)]]) }.joined()
        return "/r?id=h\(text),\(delivery ?? String(message.id.rawValue, radix: 16)),2&mcId=device"
    }

    @Test("each system is answered with the status that it takes for success, when the report is on disk")
    func recorded() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            let token = try service.listener.token(message, reference)
            let asked: [(path: String, body: String, status: Int, kind: InteractionKind, source: InteractionSource)] = [
                (
                    "\(Self.dynamics)/\(token)", #"{"PushNotificationStatus":"Opened","DeviceToken":"x"}"#, 200,
                    .pushNotificationOpened, .dynamics365
                ),
                (
                    Self.dynamics2, #"{"TrackingId":"\#(token)","PushNotificationStatus":0}"#, 202,
                    .pushNotificationClicked, .dynamics365
                ),
                (
                    Self.bird, #"{"type":"Received","trackingId":"\#(token)"}"#, 202, .pushNotificationReceived, .bird
                ),
            ]
            for (index, report) in asked.enumerated() {
                let answer = await service.ask(.post, report.path, report.body)
                #expect(answer.status == report.status && answer.bytes.isEmpty, "\(report.path)")
                let stored = service.spool.occurrences
                #expect(stored.count == index + 1)
                #expect(stored.last?.kind == report.kind && stored.last?.source == report.source)
                #expect(stored.last?.recipient == reference && stored.last?.message == message.id)
            }
            service.time.advance(byMilliseconds: 61_000)
            let hit = await service.ask(.get, try Self.hit(service, message, reference))
            #expect(hit.status == 200 && hit.headers[.cacheControl] == "no-store")
            #expect(service.spool.occurrences.last?.source == .adobeCampaign)
            #expect(service.reports("recorded") == "4")
        }
    }

    @Test("the answer waits for the disk, and a report that was not stored is to be sent again")
    func durability() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            let path = "\(Self.dynamics)/\(try service.listener.token(message, reference))"
            let body = #"{"PushNotificationStatus":1}"#
            service.spool.setBroken(true)
            let refused = await service.ask(.post, path, body)
            #expect(refused.status == 503 && refused.headers[.retryAfter] == "2")
            let hit = await service.ask(.get, try Self.hit(service, message, reference))
            #expect(hit.status == 503, "the SDK sends again after 503 and drops the hit after anything else")
            #expect(service.reports("unavailable") == "2")
            service.spool.setBroken(false)

            service.spool.hold()
            let isAnswered = Mutex(false)
            async let answer = {
                let answer = await service.ask(.post, path, body)
                isAnswered.withLock { $0 = true }
                return answer
            }()
            #expect(await eventually { service.spool.appends >= 3 })
            #expect(!isAnswered.withLock { $0 }, "the disk has not taken it yet")
            service.spool.release()
            #expect(await answer.status == 200)
            #expect(service.spool.occurrences.count == 1)
            #expect(await service.ask(.post, path, body).status == 200)
            #expect(service.spool.occurrences.count == 1, "a repeat is acknowledged and not stored")
        }
    }

    @Test("what was reported before a restart is a repeat, and something else is none")
    func restart() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            let path = "\(Self.dynamics)/\(try service.listener.token(message, reference))"
            #expect(await service.ask(.post, path, #"{"PushNotificationStatus":1}"#).status == 200)
            let restarted = try await service.restarted(knowing: service.spool.occurrences)
            #expect(await restarted.ask(.post, path, #"{"PushNotificationStatus":1}"#).status == 200)
            #expect(restarted.spool.appends == 0)
            #expect(await restarted.ask(.post, path, #"{"PushNotificationStatus":0}"#).status == 200)
            #expect(restarted.spool.occurrences.map(\.kind) == [.pushNotificationClicked])
        }
    }

    @Test("an ID that a key signed which came after the start opens, and one of a retired key does not")
    func rotation() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            let old = try service.listener.token(message, reference)
            let body = #"{"PushNotificationStatus":1}"#
            #expect(await service.ask(.post, "\(Self.dynamics)/\(old)", body).status == 200)
            var generator = SeededGenerator(seed: 1)
            let keys = service.listener.keys
            keys.replace(with: try keys.value.rotated(at: .noon, using: &generator))
            let new = try service.listener.token(message, reference)
            #expect(await service.ask(.post, "\(Self.dynamics)/\(new)", body).status == 200)
            keys.replace(with: try keys.value.retiring(1))
            #expect(await service.ask(.post, "\(Self.dynamics)/\(old)", body).status == 400)
            #expect(await service.ask(.post, "\(Self.dynamics)/\(new)", body).status == 200)
        }
    }

    @Test("what is not of a message of this organization is refused, in the words that its system takes for no")
    func foreign() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            let token = try service.listener.token(message, reference)
            let stranger = try TrackingIDForeign.token(message, reference)
            let ofLink = try service.listener.token(message, reference, link: 1)
            let body = #"{"PushNotificationStatus":1}"#
            for path in [
                "\(Self.dynamics)/\(stranger)", "\(Self.dynamics)/\(ofLink)",
                "\(Self.dynamics)/\(token)".replacing("acme", with: "other"),
                "\(Self.dynamics)/\(token)".replacing("acme", with: "a%20b"),
            ] {
                let answer = await service.ask(.post, path, body).answer
                #expect(answer.status == 400, "\(path)")
                #expect(
                    answer["detail"]?.text
                        == "Not an event: the tracking ID is not of a message of this organization.")
                #expect(answer["requestId"] == nil && !answer.body.contains(token))
            }
            for path in [
                try Self.hit(service, message, reference, delivery: "1"),
                try Self.hit(service, message, reference, link: 1),
            ] {
                #expect(await service.ask(.get, path).status == 404)
            }
            #expect(service.spool.appends == 0)
            #expect(service.reports("foreign") == "5", "a name that is no organization is not looked at")
        }
    }

    @Test(
        "what cannot be read as a report is refused by its fault, and repeats nothing of it",
        arguments: [
            (dynamics + "/x", #"{"PushNotificationStatus":1}"#, "the tracking ID is not one"),
            (dynamics, #"{"PushNotificationStatus":1}"#, "the tracking ID is missing or empty"),
            (dynamics + "/x", "{}", "PushNotificationStatus is required"),
            (dynamics + "/x", #"{"PushNotificationStatus":"secret"}"#, "0 or \"Clicked\", 1 or \"Opened\""),
            (dynamics2, "secret", "the body must be JSON in UTF-8"),
            (dynamics2, "[]", "the body must be a JSON object"),
            (dynamics2, #"{"secret":1,"secret":2}"#, "two members of one name"),
            (bird, #"{"type":"secret"}"#, "type must be"), (bird, #"{"type":"Tap"}"#, "tracking ID is missing"),
        ])
    func invalid(_ path: String, _ body: String, _ fault: String) async throws {
        try await PublicServiceFixture.with { service in
            let answer = await service.ask(.post, path, body).answer
            #expect(answer.status == 400)
            #expect(answer["detail"]?.text.hasPrefix("Not an event: ") == true)
            #expect(answer["detail"]?.text.contains(fault) == true)
            #expect(!answer.body.contains("secret"))
            #expect(service.reports("invalid") == "1")
        }
    }

    @Test("a body of 16 KiB is read, and a longer one is refused")
    func length() async throws {
        try await PublicServiceFixture.with { service in
            let event = #"{"PushNotificationStatus":1}"#
            let nobody = "\(Self.dynamics)/00000000-0000-0000-0000-000000000000"
            let longest = event + String(repeating: " ", count: 16 * 1024 - event.utf8.count)
            #expect(await service.ask(.post, nobody, longest).status == 200)
            let longer = await service.ask(.post, nobody, longest + " ").answer
            #expect(longer.status == 400)
            #expect(longer["detail"]?.text == "Not an event: the body is larger than 16 KiB.")
        }
    }

    @Test("for the device it is a success when nothing may be recorded, and nothing is")
    func notPermitted() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            let body = #"{"PushNotificationStatus":1}"#
            let gpc: HTTPFields = [.known("Sec-GPC"): "1"]
            let path = "\(Self.dynamics)/\(try service.listener.token(message, reference))"
            #expect(await service.ask(.post, path, body, headers: gpc).status == 200)
            let expired = try service.listener.token(message, reference, expires: 1_795_348_799)
            #expect(await service.ask(.post, "\(Self.dynamics)/\(expired)", body).status == 200)
            try await service.listener.record(.withdrawn, for: try RecipientID("ana@example.com"))
            #expect(await service.ask(.post, path, body).status == 200)
            #expect(service.reports("notPermitted") == "3")
            // The ID of a recipient who is not tracked is of nobody: it is not counted at all.
            let nobody = "\(Self.dynamics)/00000000-0000-0000-0000-000000000000"
            #expect(await service.ask(.post, nobody, body).status == 200)
            #expect(service.reports("notPermitted") == "3" && service.spool.appends == 0)
        }
    }

    @Test("a button is recorded when the message has it, and a name that a client made up is not")
    func buttons() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            let token = try service.listener.token(message, reference)
            for (name, isStored) in [("buy", true), ("ana@example.com", false), ("default", true)] {
                let body = #"{"type":"Button","trackingId":"\#(token)","action":{"identifier":"\#(name)"}}"#
                #expect(await service.ask(.post, Self.bird, body).status == 202)
                #expect(service.spool.occurrences.last?.action?.text == (isStored ? name : nil))
            }
        }
    }

    @Test("a message that was switched off records nothing")
    func disabled() async throws {
        try await PublicServiceFixture.with { service in
            let (message, reference) = try await service.sent()
            let storage = service.listener.storage
            _ = try await storage.stores.messages.setDisabled(
                true, message: message.id, in: service.listener.organization)
            let token = try service.listener.token(message, reference)
            #expect(await service.ask(.post, Self.bird, #"{"type":"Received","trackingId":"\#(token)"}"#).status == 202)
            #expect(service.spool.appends == 0)
        }
    }

    @Test(
        "other methods are refused by name of those that are allowed",
        arguments: [
            (dynamics + "/x", "POST"), (dynamics, "POST"), (dynamics2, "POST"), (bird, "POST"), ("/r", "GET, POST"),
        ])
    func methods(_ path: String, _ allowed: String) async throws {
        try await PublicServiceFixture.with { service in
            let answer = await service.ask(.put, path)
            #expect(answer.status == 405)
            #expect(answer.headers[.allow] == allowed)
        }
    }
}
