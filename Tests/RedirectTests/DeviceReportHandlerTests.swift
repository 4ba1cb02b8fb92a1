import Formats
import Foundation
import Identifiers
import Interactions
import Messages
import TestSupport
import Testing
import TrackingIDs

@testable import Redirect

/// Reports of devices that are taken before the decoder, on a real socket. The stub in the place of the router answers what
/// comes to it with its path and the length of its body.
@Suite struct DeviceReportHandlerTests {
    private static let bird = "/bird/v1/orgs/acme/interactions"
    private static let accepted =
        "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nDate: Sun, 22 Nov 2026 12:00:00 GMT\r\n\r\n"

    private func post(_ path: String, _ body: String, headers: String = "") -> String {
        "POST \(path) HTTP/1.1\r\nHost: links.example\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private func tap(
        _ server: PublicServer, recipient: UInt64 = 7, action: String? = nil, headers: String = ""
    ) throws -> String {
        let token = try server.keys.value.token(recipient: recipient, link: 0)
        let action = action.map { #","action":{"identifier":"\#($0)"}"# } ?? ""
        return post(Self.bird, #"{"type":"Tap","trackingId":"\#(token)"\#(action)}"#, headers: headers)
    }

    /// How the reports ended, by outcome.
    private func counts(_ server: PublicServer) throws -> [String: Int] {
        let outcomes = try ["recorded", "notPermitted", "foreign", "unavailable", "invalid"].map { outcome in
            (outcome, try server.metric("consentlink_device_reports_total{outcome=\"\(outcome)\"}"))
        }
        return Dictionary(uniqueKeysWithValues: outcomes).filter { $0.value > 0 }
    }

    @Test("a report is answered with exactly these bytes when it is in the spool, and the router hears nothing")
    func recorded() async throws {
        try await PublicServer.runKnowing { server in
            let client = try await server.connect()
            try await client.send(try tap(server, action: "buy"))
            #expect(await client.hasAnswers(1))
            #expect(client.text == Self.accepted)
            #expect(
                try server.spool.held.map(\.occurrence) == [
                    Occurrence(
                        kind: .pushNotificationClicked, source: .bird, occurredAt: .noon, message: .sample(),
                        recipient: .sample(), link: .message, visitor: .deviceReport,
                        action: ActionIdentifier("buy"))
                ])
            #expect(server.router.value.isEmpty && !client.received.isClosed)
            #expect(try counts(server) == ["recorded": 1])
            #expect(server.times.answered == [.report(ReportRoute(endpoint: .bird, isGet: false))])
            #expect(server.times.waiting == 0)
            #expect(try server.metric("consentlink_clicks_spooled_total") == 0, "it is no click")
        }
    }

    @Test("each system is answered with the status that it takes for success")
    func systems() async throws {
        try await PublicServer.runKnowing { server in
            let token = try server.keys.value.token(link: 0)
            let events = "/api/v1.0/orgs/acme"
            let client = try await server.connect()
            try await client.send(
                post("\(events)/pushchannel/event/trackings/\(token)", #"{"PushNotificationStatus":1}"#))
            try await client.send(
                post("\(events)/pushdatareceiver/events", #"{"TrackingId":"\#(token)","PushNotificationStatus":0}"#))
            let zero = "00000000-0000-0000-0000-000000000000"
            try await client.send(
                post("\(events)/pushchannel/event/trackings/\(zero)", #"{"PushNotificationStatus":1}"#))
            #expect(await client.hasAnswers(3))
            #expect(client.text.matches(of: #/HTTP/1.1 (\d+) /#).map { String($0.1) } == ["200", "202", "200"])
            #expect(
                server.spool.held.map(\.occurrence.kind) == [.pushNotificationOpened, .pushNotificationClicked])
            #expect(server.router.value.isEmpty)
        }
    }

    @Test("nothing is written before the report is on disk, and an app waits longer than a reader")
    func durability() async throws {
        try await PublicServer.runKnowing { server in
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(try tap(server))
            #expect(await eventually { server.spool.isAppending && server.times.waiting == 1 })
            try await Task.sleep(for: .milliseconds(3_500))
            #expect(client.text.isEmpty && server.router.value.isEmpty)
            server.spool.isStuck = false
            #expect(await client.hasAnswers(1))
            #expect(client.text == Self.accepted)
            #expect(server.spool.held.count == 1)
            #expect(try server.metric("consentlink_clicks_unrecorded_total{reason=\"stuck\"}") == 0)
        }
    }

    @Test("a report that could not be recorded is the route's, with all its bytes")
    func brokenDisk() async throws {
        try await PublicServer.runKnowing { server in
            server.spool.isBroken = true
            let client = try await server.connect()
            let report = try tap(server)
            let length =
                report.utf8.count - (try #require(report.range(of: "\r\n\r\n")?.upperBound.utf16Offset(in: report)))
            try await client.send(report + HTTPText.get("/after"))
            #expect(await client.hasAnswers(2))
            #expect(server.router.value == ["\(Self.bird)+\(length)", "/after"])
            #expect(try counts(server).isEmpty, "the route counts it")
            #expect(server.times.answered.isEmpty && server.times.waiting == 0)
            server.spool.isBroken = false
            let other = try await server.connect()
            try await other.send(report)
            #expect(await other.hasAnswers(1))
            #expect(other.text == Self.accepted, "it is not taken for one that was stored")
        }
    }

    @Test("a repeat is acknowledged and not stored, also one that comes while the first is on its way")
    func repeats() async throws {
        try await PublicServer.runKnowing { server in
            let (first, second) = (try await server.connect(), try await server.connect())
            server.spool.isStuck = true
            try await first.send(try tap(server))
            #expect(await eventually { server.spool.isAppending })
            try await second.send(try tap(server) + tap(server, recipient: 8))
            #expect(await eventually { server.times.waiting == 2 })
            server.spool.isStuck = false
            #expect(await first.hasAnswers(1))
            #expect(await second.hasAnswers(2))
            try await first.send(try tap(server))
            #expect(await first.hasAnswers(2))
            #expect(server.spool.held.map(\.occurrence.recipient.rawValue) == [7, 8])
            #expect(try counts(server) == ["recorded": 4])
        }
    }

    @Test("a repeat of a report that could not be stored is the route's")
    func repeatOfFailed() async throws {
        try await PublicServer.runKnowing { server in
            let (first, second) = (try await server.connect(), try await server.connect())
            server.spool.isStuck = true
            try await first.send(try tap(server))
            #expect(await eventually { server.spool.isAppending })
            try await second.send(try tap(server))
            #expect(await eventually { server.times.waiting == 2 })
            server.spool.isBroken = true
            server.spool.isStuck = false
            #expect(await eventually { server.router.value.count == 2 })
            #expect(await second.hasAnswers(1))
            #expect(server.spool.held.isEmpty)
        }
    }

    enum Unrecorded: CaseIterable {
        case objection, expired, withdrawn, disabled
    }

    @Test("what may not be recorded is a success, and leaves nothing", arguments: Unrecorded.allCases)
    func notPermitted(_ reason: Unrecorded) async throws {
        try await PublicServer.run { server in
            var report = try tap(server)
            switch reason {
            case .objection: report = try tap(server, headers: "Sec-GPC: 1\r\n")
            case .expired:
                let token = try server.keys.value.token(link: 0, expires: 1_795_348_800)
                report = post(Self.bird, #"{"type":"Received","trackingId":"\#(token)"}"#)
            case .withdrawn: try server.withdraw()
            case .disabled: server.messages.put(try .sample(isDisabled: true))
            }
            _ = try await server.directory.find(.sample())
            let client = try await server.connect()
            try await client.send(report)
            #expect(await client.hasAnswers(1))
            #expect(client.text == Self.accepted)
            #expect(server.spool.held.isEmpty && server.router.value.isEmpty)
            #expect(try counts(server) == ["notPermitted": 1])
        }
    }

    @Test("what must be refused is the route's")
    func refused() async throws {
        try await PublicServer.runKnowing { server in
            let (ofLink, message) = (try server.keys.value.token(link: 1), try server.keys.value.token(link: 0))
            let unknown = try server.keys.value.token(message: 99, link: 0)
            func body(_ token: String) -> String { #"{"type":"Tap","trackingId":"\#(token)"}"# }
            for (path, body) in [
                (Self.bird, "no json"), (Self.bird, "{}"), (Self.bird, body(ofLink)), (Self.bird, body(unknown)),
                (Self.bird, body(String(message.reversed()))), ("/bird/v1/orgs/other/interactions", body(message)),
                (Self.bird, body(message).replacing("Tap", with: "Tip")),
            ] {
                let client = try await server.connect()
                try await client.send(post(path, body))
                #expect(await client.hasAnswers(1))
                #expect(HTTPText.answers(client.text) == ["\(path)+\(body.utf8.count)"])
            }
            #expect(server.spool.held.isEmpty)
            #expect(try counts(server).isEmpty, "the route counts them")
        }
    }

    @Test("a report of a message that is not in memory is the route's, which asks the store, and the next one is taken")
    func unknown() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            try await client.send(try tap(server))
            #expect(await client.hasAnswers(1))
            #expect(server.router.value.count == 1 && server.messages.calls == 0)
            #expect(try counts(server).isEmpty && server.times.answered.isEmpty && server.times.waiting == 0)
            _ = try await server.directory.find(.sample())
            let other = try await server.connect()
            try await other.send(try tap(server))
            #expect(await other.hasAnswers(1))
            #expect(other.text == Self.accepted && server.router.value.count == 1)
        }
    }
}
