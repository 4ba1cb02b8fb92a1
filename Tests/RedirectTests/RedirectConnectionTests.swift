import Identifiers
import Interactions
import Messages
import TestSupport
import Testing

@testable import Redirect

/// How a connection goes on after a request, and how it ends.
@Suite struct RedirectConnectionTests {
    private let spring = StoredMessage.target

    @Test("a connection that is to be closed is closed after the answer")
    func connectionClose() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            try await client.send(HTTPText.get(try server.path(), headers: "Connection: close\r\n"))
            #expect(await client.isClosed())
            #expect(HTTPText.answers(client.text) == [spring])
            #expect(client.text.hasSuffix("\r\nConnection: close\r\n\r\n"))
        }
    }

    @Test("each answer to a link ends the wait for it, so a connection that follows links is never idle")
    func activity() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            for count in 1...3 {
                server.spool.isStuck = true
                try await client.send(HTTPText.get(try server.path()))
                #expect(await eventually { server.spool.isAppending })
                let waiting = try await server.activity()
                #expect(waiting.isMidRequest && (waiting.lastAnswer == nil) == (count == 1))
                server.spool.isStuck = false
                #expect(await client.hasAnswers(count))
                let answered = try await server.activity()
                #expect(!answered.isMidRequest && answered.lastAnswer != nil)
            }
        }
    }

    @Test("what a client sends after it asked to close is ignored, and takes no answer away")
    func behindClose() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            try await client.send(
                HTTPText.get(try server.path(), headers: "Connection: close\r\n") + HTTPText.get("/ignored"))
            #expect(await client.isClosed())
            #expect(HTTPText.answers(client.text) == [spring])
            #expect(server.router.value.isEmpty)
        }
    }

    @Test(
        "what is malformed behind the last request of a connection is neither answered nor counted",
        arguments: ["GARBAGE\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "\u{0}"])
    func malformedBehindClose(_ bytes: String) async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            try await client.send(HTTPText.get("/last", headers: "Connection: close\r\n") + bytes)
            #expect(await client.hasAnswers(1))
            try? await client.send(bytes)
            // A connection of its own, which is answered after what the other one sent was read.
            #expect(try await server.answer(to: HTTPText.get(server.path(), headers: "Connection: close\r\n")) != "")
            #expect(HTTPText.answers(client.text) == ["/last"])
            #expect(try server.metric("consentlink_connections_refused_total{reason=\"malformed\"}") == 0)
        }
    }

    @Test("HTTP/1.0 is answered and closed, or kept open and told so")
    func http10() async throws {
        try await PublicServer.run { server in
            let closed = try await server.answer(to: HTTPText.get(try server.path(), version: "1.0"))
            #expect(closed.hasPrefix("HTTP/1.1 302 "))
            #expect(closed.hasSuffix("\r\nConnection: close\r\n\r\n"))
            let client = try await server.connect()
            for count in 1...2 {
                try await client.send(
                    HTTPText.get(try server.path(), headers: "Connection: keep-alive\r\n", version: "1.0"))
                #expect(await client.hasAnswers(count))
            }
            #expect(client.text.hasSuffix("\r\nConnection: keep-alive\r\n\r\n"))
            #expect(!client.received.isClosed)
        }
    }

    @Test("a body of up to 64 KiB is read past", arguments: ["GET", "POST", "HEAD"])
    func body(_ method: String) async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            let head = "\(method) \(try server.path()) HTTP/1.1\r\nHost: x\r\n"
            let body = String(repeating: "b", count: 65_536)
            try await client.send(head + "Content-Length: 65536\r\n\r\n" + body)
            #expect(await client.hasAnswers(1))
            try await client.send(
                head + "Transfer-Encoding: chunked\r\n\r\n8000\r\n\(body.prefix(0x8000))\r\n0\r\n\r\n")
            #expect(await client.hasAnswers(2))
            try await client.send(HTTPText.get("/after"))
            #expect(await client.hasAnswers(3))
            #expect(client.text.hasSuffix("/after"))
            #expect(client.text.contains("302") == (method != "POST"))
            #expect(server.spool.held.count == (method == "GET" ? 2 : 0))
        }
    }

    @Test("a longer body closes the connection, and nothing is recorded", arguments: [true, false])
    func longBody(_ isChunked: Bool) async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            let framing = isChunked ? "Transfer-Encoding: chunked\r\n\r\n10001\r\n" : "Content-Length: 65537\r\n\r\n"
            let body = String(repeating: "b", count: 65_537)
            // The connection may be reset before all of it is taken.
            try? await client.send("GET \(try server.path()) HTTP/1.1\r\nHost: x\r\n\(framing)\(body)")
            #expect(await client.isClosed())
            #expect(!client.text.contains("302"))
            #expect(server.spool.held.isEmpty)
        }
    }

    @Test(
        "what is no HTTP is answered with 400, and nothing behind it is looked at",
        arguments: [
            "GARBAGE\r\n\r\n", "GET\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", "GET / HTTP/9.9\r\n\r\n",
            "GET / HTTP/1.1\r\nBad Header: x\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
            "GET / HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na",
            "GET / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ]
    )
    func malformed(_ bytes: String) async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            try? await client.send(bytes + HTTPText.get(try server.path()))
            #expect(await client.isClosed())
            #expect(HTTPText.answers(client.text) == ["400"])
            #expect(server.router.value.isEmpty)
            #expect(server.spool.held.isEmpty)
        }
    }

    @Test("what is malformed behind a click does not take its answer away")
    func malformedBehindClick() async throws {
        try await PublicServer.run { server in
            // So that the message is in memory, and nothing but the disk is waited for.
            _ = try await server.answer(
                to: HTTPText.get(try server.path(), headers: "Connection: close\r\nPurpose: prefetch\r\n"))
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(HTTPText.get(try server.path()) + "GARBAGE\r\n\r\n")
            #expect(await eventually { server.spool.isAppending })
            server.spool.isStuck = false
            #expect(await client.isClosed())
            #expect(HTTPText.answers(client.text).first == spring)
        }
    }

    @Test(
        "what comes in several pieces behind the last request does not take its answer away",
        arguments: [("Connection: close\r\n", "1.1"), ("", "1.0")])
    func piecesBehindClick(_ headers: String, _ version: String) async throws {
        try await PublicServer.run { server in
            // So that the message is in memory, and nothing but the disk is waited for.
            _ = try await server.answer(
                to: HTTPText.get(try server.path(), headers: "Connection: close\r\nPurpose: prefetch\r\n"))
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(
                HTTPText.get(try server.path(), headers: headers, version: version) + "GARBAGE\r\n\r\n")
            #expect(await eventually { server.spool.isAppending })
            for _ in 0..<2 {
                try await client.send("MORE\r\n\r\n")
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(!client.received.isClosed)
            server.spool.isStuck = false
            #expect(await client.isClosed())
            #expect(HTTPText.answers(client.text) == [spring])
            #expect(server.router.value.isEmpty)
        }
    }

    @Test("a client that has said all it will still gets its answers")
    func halfClosed() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(HTTPText.get(try server.path()) + HTTPText.get("/b"))
            try await client.closeOutput()
            #expect(await eventually { server.spool.isAppending })
            try await Task.sleep(for: .milliseconds(50))
            #expect(!client.received.isClosed)
            server.spool.isStuck = false
            #expect(await client.isClosed())
            #expect(HTTPText.answers(client.text) == [spring, "/b"])
            #expect(server.router.value == ["/b", "input closed"])
        }
    }

    @Test("a client that has said all it will gets the router's answer first")
    func halfClosedBehindRouter() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            server.holdRouter()
            try await client.send(HTTPText.get("/slow") + HTTPText.get(try server.path()))
            try await client.closeOutput()
            #expect(await eventually { server.router.value == ["/slow"] })
            try await Task.sleep(for: .milliseconds(50))
            #expect(server.router.value == ["/slow"])
            try await server.releaseRouter()
            #expect(await client.isClosed())
            #expect(HTTPText.answers(client.text) == ["/slow", spring])
            #expect(server.router.value == ["/slow", "input closed"])
        }
    }

    @Test("a client that goes away while its click is written does no harm")
    func goneAway() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(HTTPText.get(try server.path()))
            #expect(await eventually { server.spool.isAppending })
            try await client.close()
            try await Task.sleep(for: .milliseconds(50))
            server.spool.isStuck = false
            #expect(await eventually { server.spool.held.count == 1 })
            #expect(
                try await server.answer(to: HTTPText.get("/r/x", headers: "Connection: close\r\n")).hasPrefix(
                    "HTTP/1.1 404"))
        }
    }

    @Test("when the server is about to close, an idle connection is closed at once")
    func quiescingIdle() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            try await client.send(HTTPText.get(try server.path()))
            #expect(await client.hasAnswers(1))
            try await server.quiesce()
            #expect(await client.isClosed())
            #expect(HTTPText.answers(client.text) == [spring])
        }
    }

    @Test("when the server is about to close, a click under way is answered first")
    func quiescingClick() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(HTTPText.get(try server.path()))
            #expect(await eventually { server.spool.isAppending })
            try await server.quiesce()
            try await Task.sleep(for: .milliseconds(50))
            #expect(!client.received.isClosed)
            server.spool.isStuck = false
            #expect(await client.isClosed())
            #expect(HTTPText.answers(client.text) == [spring])
        }
    }

    @Test("when the server is about to close, the router's answer is not cut")
    func quiescingRouter() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            server.holdRouter()
            try await client.send(HTTPText.get("/slow"))
            #expect(await eventually { server.router.value == ["/slow"] })
            try await server.quiesce()
            try await Task.sleep(for: .milliseconds(50))
            #expect(!client.received.isClosed)
            try await server.releaseRouter()
            #expect(await client.isClosed())
            #expect(HTTPText.answers(client.text) == ["/slow"])
        }
    }
}
