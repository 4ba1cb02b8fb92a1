import Identifiers
import Interactions
import Messages
import TestSupport
import Testing

@testable import Redirect

/// Answers leave in the order of their requests, from the redirect and from the router.
@Suite struct RedirectOrderTests {
    private let spring = StoredMessage.target
    private let buy = "https://shop.example/buy"

    @Test("what is no link is the router's, with its body")
    func router() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            try await client.send(HTTPText.get("/healthz"))
            #expect(await client.hasAnswers(1))
            try await client.send("POST /rx/y HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc" + HTTPText.get("/r"))
            #expect(await client.hasAnswers(3))
            #expect(HTTPText.answers(client.text) == ["/healthz", "/rx/y+3", "/r"])
            #expect(server.router.value == ["/healthz", "/rx/y+3", "/r"])
        }
    }

    @Test("pipelined requests are answered in their order, links and others")
    func pipelined() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            let (one, other) = (HTTPText.get(try server.path()), HTTPText.get(try server.path(link: 3)))
            try await client.send(
                HTTPText.get("/a") + one + HTTPText.get("/b") + HTTPText.get("/c") + other + one + HTTPText.get("/d")
                    + HTTPText.get("/r/x") + other)
            #expect(await client.hasAnswers(9))
            #expect(HTTPText.answers(client.text) == ["/a", spring, "/b", "/c", buy, spring, "/d", "404", buy])
            #expect(server.spool.held.map(\.occurrence.link.rawValue) == [1, 3, 1, 3])
        }
    }

    @Test("a router that answers before it returns loses no request that waited behind a click")
    func pipelinedAtOnce() async throws {
        try await PublicServer.run { server in
            server.answerAtOnce()
            let client = try await server.connect()
            let (one, other) = (HTTPText.get(try server.path()), HTTPText.get(try server.path(link: 3)))
            try await client.send(
                one + HTTPText.get("/b") + other + HTTPText.get("/d") + one + HTTPText.get("/e") + HTTPText.get("/f"))
            #expect(await client.hasAnswers(7))
            #expect(HTTPText.answers(client.text) == [spring, "/b", buy, "/d", spring, "/e", "/f"])
        }
    }

    @Test("a request behind a click waits for the disk, and the router hears of it no sooner")
    func behindClick() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            server.spool.isStuck = true
            try await client.send(HTTPText.get(try server.path()) + HTTPText.get("/b") + HTTPText.get("/r/x"))
            #expect(await eventually { server.spool.isAppending })
            try await client.send(HTTPText.get("/c"))
            try await Task.sleep(for: .milliseconds(50))
            #expect(client.text.isEmpty)
            #expect(server.router.value.isEmpty)
            server.spool.isStuck = false
            #expect(await client.hasAnswers(4))
            #expect(HTTPText.answers(client.text) == [spring, "/b", "404", "/c"])
        }
    }

    @Test("a click behind a request waits for the router's answer")
    func behindRouter() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            server.holdRouter()
            try await client.send(
                HTTPText.get("/slow") + HTTPText.get("/slow2") + HTTPText.get(try server.path()) + HTTPText.get("/r/x"))
            #expect(await eventually { server.router.value.count == 2 })
            try await Task.sleep(for: .milliseconds(50))
            #expect(client.text.isEmpty)
            try await server.releaseRouter()
            #expect(await client.hasAnswers(4))
            #expect(HTTPText.answers(client.text) == ["/slow", "/slow2", spring, "404"])
        }
    }

    @Test("a request behind a look-up waits for the store")
    func behindLookUp() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            server.messages.isHeld = true
            try await client.send(HTTPText.get(try server.path()) + HTTPText.get("/b") + HTTPText.get("/r/x"))
            #expect(await eventually { server.messages.calls == 1 })
            try await Task.sleep(for: .milliseconds(50))
            #expect(client.text.isEmpty)
            server.messages.isHeld = false
            #expect(await client.hasAnswers(3))
            #expect(HTTPText.answers(client.text) == [spring, "/b", "404"])
        }
    }

    @Test("a request that arrives byte by byte is a request")
    func slowly() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            for byte in HTTPText.get(try server.path()).unicodeScalars {
                try await client.send(String(byte))
            }
            #expect(await client.hasAnswers(1))
            #expect(HTTPText.answers(client.text) == [spring])
        }
    }

    @Test("hundreds of requests in one go are all answered")
    func many() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            // Of as many links, for one link is recorded so often at once and no more.
            let pairs = try (1...300).map { recipient in
                HTTPText.get(try server.path(recipient: recipient)) + HTTPText.get("/x")
            }
            try await client.send(pairs.joined())
            #expect(await client.hasAnswers(600))
            #expect(HTTPText.answers(client.text) == Array(repeating: [spring, "/x"], count: 300).flatMap { $0 })
            #expect(server.spool.held.count == 300)
        }
    }
}
