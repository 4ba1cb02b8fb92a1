import Identifiers
import Messages
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import Redirect

@Suite struct ResponseWriterTests {
    private func text(_ answer: ByteBuffer) -> String { String(buffer: answer) }

    private func expected(_ prepared: PreparedRedirect, _ date: String, _ end: String = "") -> String {
        "\(String(decoding: prepared.bytes, as: UTF8.self))Sun, 22 Nov 2026 \(date) GMT\r\n\(end)\r\n"
    }

    @Test("each link gets its own answer with the date of its second, more links than are kept and in any order")
    func own() throws {
        var writer = ResponseWriter()
        let links = try (0..<1_000).map { PreparedRedirect(to: try TargetURL(stored: "https://shop.example/\($0)")) }
        for second in 0..<3 {
            for round in [links, links.reversed(), links.shuffled()] {
                for link in round {
                    let now = Timestamp.noon.advanced(byMilliseconds: Int64(second * 1000 + 999))
                    let answer = writer.redirect(link, for: RedirectRequest(), isLast: false, at: now)
                    #expect(text(answer) == expected(link, "12:00:0\(second)"))
                }
            }
        }
    }

    @Test("who changes an answer does not change that of the next reader")
    func shared() throws {
        var writer = ResponseWriter()
        let link = PreparedRedirect(to: try TargetURL(stored: "https://shop.example/"))
        var first = writer.redirect(link, for: RedirectRequest(), isLast: false, at: .noon)
        first.moveReaderIndex(forwardBy: 20)
        first.setString("changed", at: 20)
        let second = writer.redirect(link, for: RedirectRequest(), isLast: false, at: .noon)
        #expect(text(second) == expected(link, "12:00:00"))
    }

    @Test("the last answer of a connection says so, before and after one that does not")
    func last() throws {
        var writer = ResponseWriter()
        let link = PreparedRedirect(to: try TargetURL(stored: "https://shop.example/"))
        for isLast in [true, false, true, false] {
            let answer = writer.redirect(link, for: RedirectRequest(), isLast: isLast, at: .noon)
            #expect(text(answer) == expected(link, "12:00:00", isLast ? "Connection: close\r\n" : ""))
        }
    }

    @Test("HTTP/1.0 that is kept open is told so, between answers to HTTP/1.1, which are not")
    func keptOpen() throws {
        var writer = ResponseWriter()
        let link = PreparedRedirect(to: try TargetURL(stored: "https://shop.example/"))
        let older = RedirectRequest(
            HTTPRequestHead(version: .http1_0, method: .GET, uri: "/r/x", headers: ["Connection": "keep-alive"]))
        for isOlder in [true, false, true, false] {
            let request = isOlder ? older : RedirectRequest()
            let answer = writer.redirect(link, for: request, isLast: false, at: .noon)
            #expect(text(answer) == expected(link, "12:00:00", isOlder ? "Connection: keep-alive\r\n" : ""))
        }
    }

    @Test("links that come and go are never taken for each other")
    func comingAndGoing() throws {
        var writer = ResponseWriter()
        // Each one's memory is free for the next.
        for number in 0..<2_000 {
            let link = PreparedRedirect(to: try TargetURL(stored: "https://shop.example/\(number % 10)"))
            let answer = writer.redirect(link, for: RedirectRequest(), isLast: false, at: .noon)
            #expect(text(answer) == expected(link, "12:00:00"))
        }
    }
}
