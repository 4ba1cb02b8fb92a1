import Identifiers
import Interactions
import Messages
import Testing
import TrackingIDs

@testable import Redirect

@Suite struct RedirectConnectionTests {
    private func get(_ path: String, headers: String = "", version: String = "1.1") -> String {
        "GET \(path) HTTP/\(version)\r\nHost: links.example\r\n\(headers)\r\n"
    }

    private func link(_ server: PublicServer, link: UInt16 = 1) throws -> String {
        "/r/" + (try server.keys.value.token(link: link))
    }

    /// What was answered, in its order: where a redirect leads, what the router said, or another status.
    private func answers(_ text: String) -> [String] {
        text.matches(of: #/HTTP/1\.1 (\d\d\d) .*?\r\n\r\n([^H]*)/#.dotMatchesNewlines()).map { match in
            switch match.1 {
            case "302": match.0.firstMatch(of: /Location: (\S+)/).map { String($0.1) } ?? ""
            case "200": String(match.2)
            default: String(match.1)
            }
        }
    }

    private let spring = StoredMessage.target
    private let buy = "https://shop.example/buy"

    @Test("what is no link is the router's, with its body")
    func router() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            try await client.send(get("/healthz"))
            #expect(await client.hasAnswers(1))
            try await client.send("POST /rx/y HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc" + get("/r"))
            #expect(await client.hasAnswers(3))
            #expect(answers(client.text) == ["/healthz", "/rx/y+3", "/r"])
            #expect(server.router.value == ["/healthz", "/rx/y+3", "/r"])
        }
    }

    @Test("pipelined requests are answered in their order, links and others")
    func pipelined() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            let (one, other) = (get(try link(server)), get(try link(server, link: 3)))
            try await client.send(
                get("/a") + one + get("/b") + get("/c") + other + one + get("/d") + get("/r/x") + other)
            #expect(await client.hasAnswers(9))
            #expect(answers(client.text) == ["/a", spring, "/b", "/c", buy, spring, "/d", "404", buy])
            #expect(server.spool.held.map(\.occurrence.link.rawValue) == [1, 3, 1, 3])
        }
    }

    @Test("a router that answers before it returns loses no request that waited behind a click")
    func pipelinedAtOnce() async throws {
        try await PublicServer.run { server in
            server.answerAtOnce()
            let client = try await server.connect()
            let (one, other) = (get(try link(server)), get(try link(server, link: 3)))
            try await client.send(one + get("/b") + other + get("/d") + one + get("/e") + get("/f"))
            #expect(await client.hasAnswers(7))
            #expect(answers(client.text) == [spring, "/b", buy, "/d", spring, "/e", "/f"])
        }
    }

    @Test("a request behind a click waits for the disk, and the router hears of it no sooner")
    func behindClick() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(get(try link(server)) + get("/b") + get("/r/x"))
            #expect(await eventually { server.spool.isAppending })
            try await client.send(get("/c"))
            try await Task.sleep(for: .milliseconds(50))
            #expect(client.text.isEmpty)
            #expect(server.router.value.isEmpty)
            server.spool.isStuck = false
            #expect(await client.hasAnswers(4))
            #expect(answers(client.text) == [spring, "/b", "404", "/c"])
        }
    }

    @Test("a click behind a request waits for the router's answer")
    func behindRouter() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            server.holdRouter()
            try await client.send(get("/slow") + get("/slow2") + get(try link(server)) + get("/r/x"))
            #expect(await eventually { server.router.value.count == 2 })
            try await Task.sleep(for: .milliseconds(50))
            #expect(client.text.isEmpty)
            try await server.releaseRouter()
            #expect(await client.hasAnswers(4))
            #expect(answers(client.text) == ["/slow", "/slow2", spring, "404"])
        }
    }

    @Test("a request behind a look-up waits for the store")
    func behindLookUp() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            server.messages.isHeld = true
            try await client.send(get(try link(server)) + get("/b") + get("/r/x"))
            #expect(await eventually { server.messages.calls == 1 })
            try await Task.sleep(for: .milliseconds(50))
            #expect(client.text.isEmpty)
            server.messages.isHeld = false
            #expect(await client.hasAnswers(3))
            #expect(answers(client.text) == [spring, "/b", "404"])
        }
    }

    @Test("a request that arrives byte by byte is a request")
    func slowly() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            for byte in get(try link(server)).unicodeScalars {
                try await client.send(String(byte))
            }
            #expect(await client.hasAnswers(1))
            #expect(answers(client.text) == [spring])
        }
    }

    @Test("hundreds of requests in one go are all answered")
    func many() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            let pair = get(try link(server)) + get("/x")
            try await client.send(String(repeating: pair, count: 300))
            #expect(await client.hasAnswers(600))
            #expect(answers(client.text) == Array(repeating: [spring, "/x"], count: 300).flatMap { $0 })
            #expect(server.spool.held.count == 300)
        }
    }

    // MARK: The end of a connection

    @Test("a connection that is to be closed is closed after the answer")
    func connectionClose() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            try await client.send(get(try link(server), headers: "Connection: close\r\n"))
            #expect(await client.isClosed())
            #expect(answers(client.text) == [spring])
            #expect(client.text.hasSuffix("\r\nConnection: close\r\n\r\n"))
        }
    }

    @Test("what a client sends after it asked to close is ignored, and takes no answer away")
    func behindClose() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            try await client.send(get(try link(server), headers: "Connection: close\r\n") + get("/ignored"))
            #expect(await client.isClosed())
            #expect(answers(client.text) == [spring])
            #expect(server.router.value.isEmpty)
        }
    }

    @Test("HTTP/1.0 is answered and closed, or kept open and told so")
    func http10() async throws {
        try await PublicServer.run { server in
            let closed = try await server.answer(to: get(try link(server), version: "1.0"))
            #expect(closed.hasPrefix("HTTP/1.1 302 "))
            #expect(closed.hasSuffix("\r\nConnection: close\r\n\r\n"))
            let client = try await server.connect()
            for count in 1...2 {
                try await client.send(get(try link(server), headers: "Connection: keep-alive\r\n", version: "1.0"))
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
            let head = "\(method) \(try link(server)) HTTP/1.1\r\nHost: x\r\n"
            let body = String(repeating: "b", count: 65_536)
            try await client.send(head + "Content-Length: 65536\r\n\r\n" + body)
            #expect(await client.hasAnswers(1))
            try await client.send(
                head + "Transfer-Encoding: chunked\r\n\r\n8000\r\n\(body.prefix(0x8000))\r\n0\r\n\r\n")
            #expect(await client.hasAnswers(2))
            try await client.send(get("/after"))
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
            try? await client.send("GET \(try link(server)) HTTP/1.1\r\nHost: x\r\n\(framing)\(body)")
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
            "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na",
            "GET / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ]
    )
    func malformed(_ bytes: String) async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            try? await client.send(bytes + get(try link(server)))
            #expect(await client.isClosed())
            #expect(answers(client.text) == ["400"])
            #expect(server.router.value.isEmpty)
            #expect(server.spool.held.isEmpty)
        }
    }

    @Test("what is malformed behind a click does not take its answer away")
    func malformedBehindClick() async throws {
        try await PublicServer.run { server in
            // So that the message is in memory, and nothing but the disk is waited for.
            _ = try await server.answer(
                to: get(try link(server), headers: "Connection: close\r\nPurpose: prefetch\r\n"))
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(get(try link(server)) + "GARBAGE\r\n\r\n")
            #expect(await eventually { server.spool.isAppending })
            server.spool.isStuck = false
            #expect(await client.isClosed())
            #expect(answers(client.text).first == spring)
        }
    }

    @Test("a client that has said all it will still gets its answers")
    func halfClosed() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(get(try link(server)) + get("/b"))
            try await client.closeOutput()
            #expect(await eventually { server.spool.isAppending })
            try await Task.sleep(for: .milliseconds(50))
            #expect(!client.received.isClosed)
            server.spool.isStuck = false
            #expect(await client.isClosed())
            #expect(answers(client.text) == [spring, "/b"])
            #expect(server.router.value == ["/b", "input closed"])
        }
    }

    @Test("a client that has said all it will gets the router's answer first")
    func halfClosedBehindRouter() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            server.holdRouter()
            try await client.send(get("/slow") + get(try link(server)))
            try await client.closeOutput()
            #expect(await eventually { server.router.value == ["/slow"] })
            try await Task.sleep(for: .milliseconds(50))
            #expect(server.router.value == ["/slow"])
            try await server.releaseRouter()
            #expect(await client.isClosed())
            #expect(answers(client.text) == ["/slow", spring])
            #expect(server.router.value == ["/slow", "input closed"])
        }
    }

    @Test("a client that goes away while its click is written does no harm")
    func goneAway() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(get(try link(server)))
            #expect(await eventually { server.spool.isAppending })
            try await client.close()
            try await Task.sleep(for: .milliseconds(50))
            server.spool.isStuck = false
            #expect(await eventually { server.spool.held.count == 1 })
            #expect(
                try await server.answer(to: get("/r/x", headers: "Connection: close\r\n")).hasPrefix("HTTP/1.1 404"))
        }
    }

    @Test("when the server is about to close, an idle connection is closed at once")
    func quiescingIdle() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            try await client.send(get(try link(server)))
            #expect(await client.hasAnswers(1))
            try await server.quiesce()
            #expect(await client.isClosed())
            #expect(answers(client.text) == [spring])
        }
    }

    @Test("when the server is about to close, a click under way is answered first")
    func quiescingClick() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(get(try link(server)))
            #expect(await eventually { server.spool.isAppending })
            try await server.quiesce()
            try await Task.sleep(for: .milliseconds(50))
            #expect(!client.received.isClosed)
            server.spool.isStuck = false
            #expect(await client.isClosed())
            #expect(answers(client.text) == [spring])
        }
    }

    @Test("when the server is about to close, the router's answer is not cut")
    func quiescingRouter() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            server.holdRouter()
            try await client.send(get("/slow"))
            #expect(await eventually { server.router.value == ["/slow"] })
            try await server.quiesce()
            try await Task.sleep(for: .milliseconds(50))
            #expect(!client.received.isClosed)
            try await server.releaseRouter()
            #expect(await client.isClosed())
            #expect(answers(client.text) == ["/slow"])
        }
    }
}
