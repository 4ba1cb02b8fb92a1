import Counting
import Identifiers
import Interactions
import Messages
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestSupport
import Testing
import TrackingIDs

@testable import HTTPConnections
@testable import Redirect

/// How reports of devices come on a connection, in which pieces and among what, and how it goes on and ends.
@Suite struct DeviceReportConnectionTests {
    private static let path = "/bird/v1/orgs/acme/interactions"
    private let spring = StoredMessage.target

    /// A report of some recipient, whose answer has no body.
    private func report(_ server: PublicServer, recipient: UInt64 = 7, headers: String = "") throws -> String {
        let token = try server.keys.value.token(recipient: recipient, link: 0)
        let body = #"{"type":"Tap","trackingId":"\#(token)"}"#
        return "POST \(Self.path) HTTP/1.1\r\nHost: x\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private func recipients(_ server: PublicServer) -> [UInt64] {
        server.spool.held.map(\.occurrence.recipient.rawValue)
    }

    @Test("clicks, reports and the router's requests on one connection are answered in their order")
    func pipelined() async throws {
        try await PublicServer.runKnowing { server in
            let client = try await server.connect()
            let click = HTTPText.get(try server.path())
            let reports = try (1...4).map { try report(server, recipient: UInt64($0)) }
            try await client.send(
                reports[0] + click + reports[1] + reports[2] + click + click + HTTPText.get("/a") + reports[3] + click)
            #expect(await client.hasAnswers(9))
            #expect(
                HTTPText.answers(client.text) == [
                    "202", spring, "202", "202", spring, spring, "/a", Self.path + "+84", spring,
                ]
            )
            #expect(recipients(server) == [1, 7, 2, 3, 7, 7, 7])
        }
    }

    @Test("behind a click a report waits for the disk, and so does what stands behind the report")
    func behindClick() async throws {
        try await PublicServer.runKnowing { server in
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(HTTPText.get(try server.path()) + report(server))
            #expect(await eventually { server.spool.isAppending })
            try await client.send(report(server, recipient: 8) + HTTPText.get("/after"))
            try await Task.sleep(for: .milliseconds(50))
            #expect(client.text.isEmpty && server.router.value.isEmpty)
            server.spool.isStuck = false
            #expect(await client.hasAnswers(4))
            #expect(HTTPText.answers(client.text) == [spring, "202", "202", "/after"])
            #expect(server.spool.commits == [1, 1, 1])
        }
    }

    @Test("a report in pieces is taken when the last one is there, wherever it is cut behind its request line")
    func pieces() async throws {
        try await PublicServer.runKnowing { server in
            let client = try await server.connect()
            let whole = Array(try report(server, headers: "User-Agent: app/1\r\n").utf8)
            let line = (whole.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 1
            var answered = 0
            for place in line..<whole.count {
                server.clock.now = server.clock.now.advanced(byMilliseconds: 61_000)
                try await client.send(String(decoding: whole[..<place], as: UTF8.self))
                try await Task.sleep(for: .milliseconds(2))
                #expect(HTTPText.answers(client.text).count == answered)
                try await client.send(String(decoding: whole[place...], as: UTF8.self))
                answered += 1
                #expect(await client.hasAnswers(answered), "\(place)")
            }
            #expect(server.spool.held.count == answered && server.router.value.isEmpty)
        }
    }

    @Test("what comes in more pieces, or is cut in its request line, is the decoder's")
    func manyPieces() async throws {
        try await PublicServer.runKnowing { server in
            let text = try report(server)
            let few = try await server.connect()
            for piece in cut(text, into: 8) {
                try await few.send(piece)
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(await few.hasAnswers(1))
            #expect(server.router.value.isEmpty && server.spool.held.count == 1)
            // Where a piece ends is up to the test alone: none may come together with the next.
            for pieces in [cut(text, into: 9), [String(text.prefix(10)), String(text.dropFirst(10))]] {
                let (channel, requests) = try embedded(RedirectCounters())
                for piece in pieces { try channel.writeInbound(ByteBuffer(string: piece)) }
                #expect(requests.value.count == 1 && requests.value.first?.hasPrefix(Self.path) == true)
                _ = try? channel.finish(acceptAlreadyClosed: true)
            }
        }
    }

    /// A connection that reads what it is given, piece by piece.
    ///
    /// - Returns: with it, what has come to the router.
    private func embedded(_ counters: RedirectCounters) throws -> (EmbeddedChannel, Note<[String]>) {
        let channel = EmbeddedChannel()
        let requests = Note<[String]>([])
        let worker = try RedirectWorker(
            loop: channel.eventLoop,
            RedirectResources(
                directory: LinkDirectory(store: FakeMessageStore(), table: LinkTable(rules: RecordingRulesTable())),
                keys: CurrentKeyRing(try .sample()),
                writer: SpoolWriter(spool: FakeSpool(), onCommit: { _ in }, report: { _ in }), clock: { .noon },
                report: { _ in }),
            counters: counters)
        try RedirectService.configure(channel, worker: worker) { channel in
            try channel.pipeline.syncOperations.addHandler(StubRouter(seen: requests))
        }
        channel.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 80), promise: nil)
        return (channel, requests)
    }

    /// The first piece has the request line.
    private func cut(_ text: String, into count: Int) -> [String] {
        let rest = text.dropFirst(60)
        let length = rest.count / (count - 1)
        return [String(text.prefix(60))]
            + (0..<(count - 1)).map { piece in
                let start = rest.dropFirst(piece * length)
                return String(piece == count - 2 ? start : start.prefix(length))
            }
    }

    @Test("a report whose rest is not plain is the decoder's, with its beginning")
    func notPlainRest() async throws {
        try await PublicServer.runKnowing { server in
            let client = try await server.connect()
            try await client.send("POST \(Self.path) HTTP/1.1\r\nHost: x\r\nX: y\r\n")
            try await Task.sleep(for: .milliseconds(20))
            try await client.send("Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
            #expect(await client.hasAnswers(1))
            #expect(HTTPText.answers(client.text) == [Self.path + "+3"])
        }
    }

    @Test("a client that has said all it will still gets its answers")
    func halfClosed() async throws {
        try await PublicServer.runKnowing { server in
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(
                HTTPText.get(try server.path()) + report(server) + report(server, recipient: 8))
            try await client.closeOutput()
            #expect(await eventually { server.spool.isAppending })
            try await Task.sleep(for: .milliseconds(50))
            #expect(!client.received.isClosed)
            server.spool.isStuck = false
            #expect(await client.isClosed())
            #expect(HTTPText.answers(client.text) == [spring, "202", "202"])
            #expect(server.router.value.isEmpty)
        }
    }

    @Test("a report that ends too early is malformed, whether or not something waits before it")
    func cutShort() async throws {
        try await PublicServer.runKnowing { server in
            let name = "consentlink_connections_refused_total{reason=\"malformed\"}"
            let start = String(try report(server).dropLast())
            let client = try await server.connect()
            try await client.send(start)
            try await client.closeOutput()
            #expect(await client.isClosed())
            #expect(try server.metric(name) == 1)
            let other = try await server.connect()
            server.spool.isStuck = true
            let cut = String(try report(server).prefix(80))
            try await other.send(HTTPText.get(try server.path()) + (try report(server, recipient: 8)) + cut)
            try await other.closeOutput()
            #expect(await eventually { server.spool.isAppending })
            server.spool.isStuck = false
            #expect(await other.isClosed())
            #expect(HTTPText.answers(other.text) == [spring, "202", "400"])
            #expect(try server.metric(name) == 2)
            #expect(recipients(server) == [7, 8])
        }
    }

    @Test("a client that is gone leaves its report in the spool, and a cut one is counted as malformed")
    func gone() async throws {
        try await PublicServer.runKnowing { server in
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(report(server))
            #expect(await eventually { server.spool.isAppending })
            try await client.close()
            try await Task.sleep(for: .milliseconds(50))
            server.spool.isStuck = false
            #expect(await eventually { server.times.answered.count == 1 && server.times.waiting == 0 })
            #expect(server.spool.held.count == 1)
            #expect(try server.metric("consentlink_device_reports_total{outcome=\"recorded\"}") == 1)
            let other = try await server.connect()
            try await other.send(String(try report(server).dropLast()))
            try await Task.sleep(for: .milliseconds(50))
            try await other.close()
            let name = "consentlink_connections_refused_total{reason=\"malformed\"}"
            #expect(await eventually { (try? server.metric(name)) == 1 })
        }
    }

    @Test("when the service leaves, a report's answer is the last one, and says so")
    func leaving() async throws {
        try await PublicServer.runKnowing { server in
            let client = try await server.connect()
            try await client.send(report(server))
            #expect(await client.hasAnswers(1))
            server.leave()
            try await client.send(report(server, recipient: 8) + report(server, recipient: 9))
            #expect(await client.isClosed())
            #expect(HTTPText.answers(client.text) == ["202", "202"])
            #expect(client.text.hasSuffix("\r\nConnection: close\r\n\r\n"))
            #expect(recipients(server) == [7, 8])
        }
    }

    @Test("a server that is about to end takes the rest of a report whose header is there")
    func quiescing() async throws {
        try await PublicServer.runKnowing { server in
            let text = try report(server)
            let client = try await server.connect()
            try await client.send(String(text.dropLast(5)))
            try await Task.sleep(for: .milliseconds(50))
            try await server.quiesce()
            try await Task.sleep(for: .milliseconds(50))
            #expect(!client.received.isClosed)
            try await client.send(String(text.suffix(5)))
            #expect(await client.isClosed())
            #expect(HTTPText.answers(client.text) == ["202"])
            #expect(client.text.hasSuffix("\r\nConnection: close\r\n\r\n"))
        }
    }

    @Test("a server that is about to end does not wait for the rest of a header")
    func quiescingInHeader() async throws {
        try await PublicServer.runKnowing { server in
            let client = try await server.connect()
            try await client.send("POST \(Self.path) HTTP/1.1\r\nHost: x\r\n")
            try await Task.sleep(for: .milliseconds(50))
            try await server.quiesce()
            #expect(await client.isClosed(within: .seconds(5)))
        }
    }

    @Test("while a report waits, what comes behind it is not read for ever, and then it is")
    func readsAreHeld() async throws {
        try await PublicServer.runKnowing { server in
            server.spool.isStuck = true
            let client = try await server.connect()
            try await client.send(try report(server))
            #expect(await eventually { server.spool.isAppending })
            let sent = Note(0)
            let page = HTTPText.get("/after", headers: "X: " + String(repeating: "x", count: 1 << 13) + "\r\n")
            let count = 5_000
            let sending = Task {
                while sent.value < count {
                    try await client.send(page)
                    sent.value += 1
                }
            }
            var before = -1
            while sent.value > before {
                before = sent.value
                try await Task.sleep(for: .milliseconds(300))
            }
            #expect(sent.value < count, "40 MB are more than what the kernel holds")
            server.spool.isStuck = false
            try await sending.value
            #expect(await eventually { server.router.value.count == count })
        }
    }

    @Test("a connection that breaks within a report counts as malformed, before the decoder as behind it")
    func broken() throws {
        let start = "POST \(Self.path) HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n"
        for (text, isCut) in [
            (start, true), (start + "\r\nabc", true), (start + "X: \t\r\n", true), (start + "X: \t\r\n\r\nabc", true),
            ("", false),
        ] {
            let counters = RedirectCounters()
            let (channel, _) = try embedded(counters)
            if !text.isEmpty { try channel.writeInbound(ByteBuffer(string: text)) }
            _ = try? channel.finish(acceptAlreadyClosed: true)
            #expect(counters.refused[.malformed] == (isCut ? 1 : 0), "\(text)")
        }
    }
}
