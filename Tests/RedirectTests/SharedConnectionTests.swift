import Identifiers
import Interactions
import Messages
import TestSupport
import Testing

@testable import Redirect

/// A connection of a proxy brings requests of everybody, for links and for the router. The decoder reads what is not
/// plain and what comes while that is under way, and nothing else.
@Suite struct SharedConnectionTests {
    private let spring = StoredMessage.target

    /// Sends `text`, and expects so many answers in all.
    ///
    /// - Returns: how many bytes of it the decoder was given.
    private func decoded(of text: String, _ answers: Int, _ client: Client, _ server: PublicServer) async throws -> Int
    {
        let before = server.decoded.value
        try await client.send(text)
        #expect(await client.hasAnswers(answers), "\(client.text)")
        return server.decoded.value - before
    }

    @Test("links are read before the decoder again once the router has answered", arguments: [false, true])
    func again(_ isImmediate: Bool) async throws {
        try await PublicServer.run { server in
            if isImmediate { server.answerAtOnce() }
            let (client, link) = (try await server.connect(), HTTPText.get(try server.path()))
            let others = [
                HTTPText.get("/a"), "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
                "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
                HTTPText.get("/d", headers: "Connection: upgrade\r\nUpgrade: h2c\r\n"),
                HTTPText.get("/e", headers: "Connection: Keep-Alive\r\n"),
            ]
            for (index, other) in others.enumerated() {
                #expect(try await decoded(of: other, 3 * index + 1, client, server) == other.utf8.count, "\(other)")
                for count in 2...3 {
                    #expect(try await decoded(of: link, 3 * index + count, client, server) == 0, "\(other)")
                }
            }
            #expect(
                HTTPText.answers(client.text)
                    == ["/a", "/b+3", "/c+3", "/d", "/e"].flatMap { [$0, spring, spring] })
            #expect(server.spool.held.count == 2 * others.count)
        }
    }

    @Test("a link that comes while the router owes an answer is the decoder's, and waits; the next one is not")
    func owed() async throws {
        try await PublicServer.run { server in
            let (client, link) = (try await server.connect(), HTTPText.get(try server.path()))
            server.holdRouter()
            try await client.send(HTTPText.get("/slow"))
            #expect(await eventually { server.router.value.count == 1 })
            let before = server.decoded.value
            try await client.send(link)
            #expect(await eventually { server.decoded.value == before + link.utf8.count })
            #expect(client.text.isEmpty && server.spool.held.isEmpty)
            try await server.releaseRouter()
            #expect(await client.hasAnswers(2))
            #expect(try await decoded(of: link, 3, client, server) == 0)
            #expect(HTTPText.answers(client.text) == ["/slow", spring, spring])
        }
    }

    @Test("what the decoder has begun it also ends, with what comes behind it in the same piece")
    func begun() async throws {
        try await PublicServer.run { server in
            let (client, link) = (try await server.connect(), HTTPText.get(try server.path()))
            let page = "PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\n"
            // A body that looks like a link.
            let request = Array((page + link.prefix(40)).utf8)
            for end in [4, page.utf8.count, page.utf8.count + 39] {
                let answers = HTTPText.answers(client.text).count
                let before = server.decoded.value
                try await client.send(String(decoding: request.prefix(end), as: UTF8.self))
                #expect(await eventually { server.decoded.value == before + end })
                let rest = String(decoding: request.dropFirst(end), as: UTF8.self) + link
                #expect(try await decoded(of: rest, answers + 2, client, server) == rest.utf8.count)
                #expect(try await decoded(of: link, answers + 3, client, server) == 0)
            }
            #expect(HTTPText.answers(client.text) == ["/a+40", "/a+40", "/a+39+1"].flatMap { [$0, spring, spring] })
            #expect(server.spool.held.count == 6)
        }
    }

    @Test("the rest of a header that looks like a link is not followed")
    func smuggled() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            let before = try await decoded(of: HTTPText.get("/a"), 1, client, server)
            let begin = "PUT /b HTTP/1.1\r\nHost: x\r\n"
            try await client.send(begin)
            #expect(await eventually { server.decoded.value == before + begin.utf8.count })
            try await client.send(HTTPText.get(try server.path()))
            #expect(await client.isClosed())
            #expect(HTTPText.answers(client.text) == ["/a", "400"])
            #expect(server.spool.held.isEmpty && server.router.value == ["/a"])
        }
    }

    @Test("a link behind the last request of a connection is not followed, and a link may be the last one")
    func last() async throws {
        try await PublicServer.run { server in
            let link = HTTPText.get(try server.path())
            let client = try await server.connect()
            _ = try await decoded(of: HTTPText.get("/a"), 1, client, server)
            _ = try await decoded(of: HTTPText.get("/last", headers: "Connection: close\r\n"), 2, client, server)
            try? await client.send(link)
            // A connection of its own, which is answered after what the other one sent was read.
            let other = try await server.connect()
            _ = try await decoded(of: HTTPText.get("/b"), 1, other, server)
            let last = HTTPText.get(try server.path(link: 3), headers: "Connection: close\r\n")
            _ = try await decoded(of: last, 2, other, server)
            #expect(await other.isClosed())
            #expect(HTTPText.answers(client.text) == ["/a", "/last"])
            #expect(server.spool.held.map(\.occurrence.link.rawValue) == [3])
        }
    }

    @Test("a client that says it sends nothing more gets its answer after a page, too, and the router hears of it last")
    func halfClosed() async throws {
        try await PublicServer.run { server in
            let client = try await server.connect()
            _ = try await decoded(of: HTTPText.get("/a"), 1, client, server)
            server.spool.isStuck = true
            try await client.send(HTTPText.get(try server.path()))
            try await client.closeOutput()
            #expect(await eventually { server.spool.isAppending })
            #expect(server.router.value == ["/a"])
            server.spool.isStuck = false
            #expect(await client.hasAnswers(2))
            #expect(await client.isClosed())
            #expect(HTTPText.answers(client.text) == ["/a", spring])
            #expect(server.router.value == ["/a", "input closed"])
        }
    }
}
