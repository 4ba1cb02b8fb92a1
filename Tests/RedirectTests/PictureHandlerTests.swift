import Identifiers
import Interactions
import Messages
import TestSupport
import Testing
import TrackingIDs

@testable import Redirect

/// Requests for the pictures of mails that are taken before the decoder, on a real socket. The stub in the place of the
/// router answers what comes to it with its path.
@Suite struct PictureHandlerTests {
    /// What a reader gets, up to the bytes of the picture that are text.
    private static let picture = """
        HTTP/1.1 200 OK\r\nContent-Type: image/gif\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r
        X-Robots-Tag: noindex, nofollow\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 43\r
        Date: Sun, 22 Nov 2026 12:00:00 GMT\r\n\r\nGIF89a
        """

    /// Runs `body` with a server that has a message in memory.
    private func withServer(opens: Bool = true, _ body: (PublicServer) async throws -> Void) async throws {
        try await PublicServer.run { server in
            server.messages.put(try .sample(opens: opens))
            _ = try await server.directory.find(.sample())
            try await body(server)
        }
    }

    private func path(_ server: PublicServer, recipient: UInt64 = 7) throws -> String {
        "/o/\(try server.keys.value.token(recipient: recipient, link: 0)).gif"
    }

    private func unrecorded(_ reason: String, _ server: PublicServer) throws -> Int {
        try server.metric("consentlink_clicks_unrecorded_total{reason=\"\(reason)\"}")
    }

    @Test("a picture is answered with exactly these bytes when the opening is in the spool", arguments: ["", "?x=1&y"])
    func recorded(_ query: String) async throws {
        try await withServer { server in
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(HTTPText.get(try path(server) + query))
            #expect(await eventually { server.spool.isAppending && server.times.waiting == 1 })
            #expect(client.text.isEmpty)
            server.spool.isStuck = false
            #expect(await client.hasAnswers(1))
            #expect(client.text.hasPrefix(Self.picture), "\(client.text)")
            #expect(
                try server.spool.held.map(\.occurrence) == [
                    Occurrence(
                        kind: .messageOpened, source: .redirect, occurredAt: .noon, message: .sample(),
                        recipient: .sample(), link: .message, visitor: AgentMeaning.missing.opening)
                ])
            #expect(server.router.value.isEmpty && server.decoded.value == 0)
            #expect(server.times.answered == [.picture] && server.times.waiting == 0)
            #expect(try server.metric("consentlink_clicks_spooled_total") == 0, "it is no click")
        }
    }

    enum Unrecorded: CaseIterable {
        case objection, prefetch, expired, withdrawn, untracked, tooOften
    }

    @Test("what may not be recorded gets the same bytes, and leaves nothing", arguments: Unrecorded.allCases)
    func notRecorded(_ reason: Unrecorded) async throws {
        try await withServer(opens: reason != .untracked) { server in
            var (path, headers, before) = (try path(server), "", 0)
            switch reason {
            case .objection: headers = "Sec-GPC: 1\r\n"
            case .prefetch: headers = "Purpose: prefetch\r\n"
            case .expired: path = "/o/\(try server.keys.value.token(link: 0, expires: 1_795_348_800)).gif"
            case .withdrawn: try server.withdraw()
            case .untracked: break
            case .tooOften:
                let busy = try await server.connect()
                for count in 1...100 {
                    try await busy.send(HTTPText.get(path))
                    #expect(await busy.hasAnswers(count))
                }
                before = 100
            }
            let client = try await server.connect()
            try await client.send(HTTPText.get(path, headers: headers))
            #expect(await client.hasAnswers(1))
            #expect(client.text.hasPrefix(Self.picture), "\(client.text)")
            #expect(server.spool.held.count == before && server.router.value.isEmpty && server.decoded.value == 0)
            #expect(try unrecorded("rate", server) == (reason == .tooOften ? 1 : 0))
        }
    }

    @Test("what must be refused, and what is not plain, is the route's")
    func declined() async throws {
        try await withServer { server in
            let (message, link) = (try server.keys.value.token(link: 0), try server.keys.value.token(link: 1))
            let unknown = try server.keys.value.token(message: 99, link: 0)
            server.messages.put(try .sample(2, opens: true, isDisabled: true))
            _ = try await server.directory.find(.sample(2))
            let disabled = try server.keys.value.token(message: 2, link: 0)
            let paths = [
                "/o/\(link).gif", "/o/\(unknown).gif", "/o/\(disabled).gif", "/o/\(String(message.reversed())).gif",
                "/o/\(message)", "/o/\(message).png", "/o/\(message).gif/", "/o/\(message).gif.gif",
                "/o/\(message)%2Egif", "/o/.gif", "//o/\(message).gif", "/O/\(message).gif", "/o/\(message).gifx",
            ]
            let client = try await server.connect()
            for (count, path) in paths.enumerated() {
                try await client.send(HTTPText.get(path))
                #expect(await client.hasAnswers(count + 1))
            }
            for headers in ["TE: trailers\r\n", "Content-Length: 0\r\n", "Connection: Keep-Alive, x\r\n"] {
                try await client.send(HTTPText.get("/o/\(message).gif", headers: headers))
            }
            try await client.send("HEAD /o/\(message).gif HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await client.hasAnswers(paths.count + 4))
            #expect(server.router.value == paths + Array(repeating: "/o/\(message).gif", count: 4))
            #expect(server.spool.held.isEmpty && server.times.answered.isEmpty)
        }
    }

    @Test("pictures, links and pages are answered in the order in which they were asked for")
    func order() async throws {
        try await withServer { server in
            let (client, link) = (try await server.connect(), HTTPText.get(try server.path()))
            server.spool.isStuck = true
            let picture = HTTPText.get(try path(server))
            try await client.send(picture + link + picture + HTTPText.get("/a") + link)
            #expect(await eventually { server.spool.isAppending })
            #expect(client.text.isEmpty && server.router.value.isEmpty)
            server.spool.isStuck = false
            #expect(await client.hasAnswers(5))
            let kinds = client.text.matches(of: #/Content-Type: image|Location: |\r\n\r\n\/a/#).map { String($0.0) }
            #expect(
                kinds == [
                    "Content-Type: image", "Location: ", "Content-Type: image", "\r\n\r\n/a", "Location: ",
                ])
            let (opened, clicked) = (InteractionKind.messageOpened, InteractionKind.pushLinkClicked)
            #expect(server.spool.held.map(\.occurrence.kind) == [opened, clicked, opened, clicked])
        }
    }

    @Test("a reader gets the picture from a disk that does not answer, and the opening is counted once")
    func stuck() async throws {
        try await withServer { server in
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(HTTPText.get(try path(server)))
            #expect(await client.hasAnswers(1))
            #expect(client.text.hasPrefix(Self.picture))
            #expect(try unrecorded("stuck", server) == 1)
            server.spool.isStuck = false
            #expect(await eventually { server.spool.held.count == 1 })
            #expect(
                await eventually {
                    (try? server.metric("consentlink_clicks_recorded_late_total")) == 1
                })
            #expect(try server.metric("consentlink_clicks_spooled_total") == 0)
        }
    }

    @Test("a reader gets the picture from a disk that fails")
    func broken() async throws {
        try await withServer { server in
            let client = try await server.connect()
            server.spool.isBroken = true
            try await client.send(HTTPText.get(try path(server)))
            #expect(await client.hasAnswers(1))
            #expect(client.text.hasPrefix(Self.picture))
            #expect(try unrecorded("failed", server) == 1)
            #expect(server.router.value.isEmpty)
        }
    }

    @Test("a picture of a message that is not in memory is the route's, and the store is not asked for it here")
    func notInMemory() async throws {
        try await withServer { server in
            let calls = server.messages.calls
            server.messages.put(try .sample(2, opens: true))
            let (client, path) = (
                try await server.connect(), "/o/\(try server.keys.value.token(message: 2, link: 0)).gif"
            )
            try await client.send(HTTPText.get(path) + HTTPText.get("/a"))
            #expect(await client.hasAnswers(2))
            #expect(server.router.value == [path, "/a"] && server.messages.calls == calls)
            _ = try await server.directory.find(.sample(2))
            try await client.send(HTTPText.get(path))
            #expect(await client.hasAnswers(3))
            #expect(server.router.value == [path, "/a"] && server.spool.held.count == 1)
        }
    }

    @Test("an opening whose reader has gone is recorded, and counted once")
    func gone() async throws {
        try await withServer { server in
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(HTTPText.get(try path(server)))
            #expect(await eventually { server.spool.isAppending })
            try await client.reset()
            #expect(await eventually { (try? server.metric("consentlink_open_connections")) == 0 })
            server.spool.isStuck = false
            #expect(await eventually { server.spool.held.count == 1 && server.times.waiting == 0 })
            #expect(server.times.answered == [.picture])
        }
    }
}
