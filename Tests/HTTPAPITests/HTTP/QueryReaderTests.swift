import HTTPTypes
import Hummingbird
import Identifiers
import Interactions
import JSON
import Messages
import NIOCore
import TestSupport
import Testing

@testable import HTTPAPI

/// Members of a query, page limits and the cursors of the feed.
@Suite struct QueryReaderTests {
    private func query(_ text: String) throws -> QueryReader {
        try QueryReader(
            Request(
                head: HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/x?\(text)"),
                body: RequestBody(buffer: ByteBuffer())))
    }

    /// The pointer of the problem that `body` throws.
    private func pointer(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? Problem)?.errors.first?.pointer.description }
        return nil
    }

    @Test("a member is taken once, as it is after percent-decoding, and what is absent is nothing")
    func taken() throws {
        var reader = try query("from=2026-11-22T12%3A00%3A00Z&limit=7")
        #expect(try reader.take("from", Timestamp.init(rfc3339:)) == .noon)
        #expect(try reader.take("from", Timestamp.init(rfc3339:)) == nil)
        #expect(try reader.take("limit", PageLimit.init)?.count == 7)
        #expect(try reader.take("to", Timestamp.init(rfc3339:)) == nil)
        try reader.finish()
    }

    @Test("the first member that nobody took is refused, in the order of the query")
    func unknown() throws {
        var reader = try query("z=1&limit=1&a=2&limit2=3")
        _ = try reader.take("limit", PageLimit.init)
        #expect(pointer { try reader.finish() } == "/z")
        var encoded = try query("%6Cimit=1")
        #expect(try encoded.take("limit", PageLimit.init)?.count == nil, "a name has one spelling")
        #expect(pointer { try encoded.finish() } == "/%6Cimit")
    }

    @Test(
        "a text whose percent sequences are malformed is refused at its member",
        arguments: ["%zz", "%", "a%2", "%E4%zz", "%%41", "%E4"])
    func malformed(_ text: String) throws {
        var reader = try query("a=1&name=\(text)")
        #expect(pointer { _ = try reader.takeText("name", MessageNamePrefix.init) } == "/name")
    }

    @Test("a percent sign that is encoded is one", arguments: [("%25zz", "%zz"), ("100%25", "100%"), ("%2525", "%25")])
    func percent(_ encoded: String, _ text: String) throws {
        var reader = try query("name=\(encoded)")
        #expect(try reader.takeText("name") { (taken: String) throws(IdentifierError) in taken } == text)
    }

    @Test("a plus sign that is not encoded is refused at its member", arguments: ["+", "dice+4711", "a%20+", "%zz+"])
    func plus(_ text: String) throws {
        var reader = try query("a=1+1&name=\(text)")
        do {
            _ = try reader.takeText("name", MessageNamePrefix.init)
            Issue.record("\(text) was taken")
        } catch let problem as Problem {
            let error = try #require(problem.errors.first)
            #expect(error.pointer.description == "/name")
            #expect(error.detail.contains("%20") && error.detail.contains("%2B"))
        }
        #expect(try reader.take("a") { (taken: String) throws(IdentifierError) in taken } == "1+1")
    }

    @Test(
        "a text is the one that was sent, whatever it holds",
        arguments: [
            ("%EF%BF%BD", "\u{FFFD}"), ("caf%EF%BF%BD", "caf\u{FFFD}"), ("a=b", "a=b"), ("a%2Bb", "a+b"), ("", ""),
            ("a%20b", "a b"), ("%F4%8F%BF%BF", "\u{10FFFF}"), ("%E2%84%AA", "\u{212A}"),
        ])
    func kept(_ encoded: String, _ text: String) throws {
        var reader = try query("names=1&name=\(encoded)&b=name=2")
        let taken = try reader.takeText("name") { (taken: String) throws(IdentifierError) in taken }
        #expect(taken.map { Array($0.utf8) } == Array(text.utf8))
        var bare = try query("name")
        #expect(try bare.takeText("name") { (taken: String) throws(IdentifierError) in taken } == "")
    }

    @Test("two members of one name are refused, even where they say the same")
    func twice() {
        #expect(pointer { _ = try query("a=1&a=1") } == "/a")
        #expect(pointer { _ = try query("a=1&b=2&a=") } == "/a")
        #expect(pointer { _ = try query("a=1&A=1") } == nil)
    }

    @Test("a choice is one of its names, in their case, and the refusal lists them")
    func choice() throws {
        var reader = try query("type=MessageOpened")
        #expect(try reader.takeChoice("type", as: InteractionKind.self) == .messageOpened)
        #expect(try reader.takeChoice("type", as: InteractionKind.self) == nil)
        for text in ["messageopened", "", "MessageOpened%20"] {
            var reader = try query("type=\(text)")
            do {
                _ = try reader.takeChoice("type", as: InteractionKind.self)
                Issue.record("\(text) was taken")
            } catch let problem as Problem {
                #expect(problem.errors.first?.detail.hasPrefix("must be one of PushLinkClicked, ") == true)
            }
        }
    }

    @Test("a limit is a decimal integer within its bounds", arguments: [("1", 1), ("7", 7), ("1000", 1000)])
    func limits(_ text: String, _ count: Int) throws { #expect(try PageLimit(text).count == count) }

    @Test(
        "anything else is no limit",
        arguments: ["", "0", "+5", "007", "1001", "-1", "1.0", "1e2", "0x10", "٣", " 5", "99999999999999999999"])
    func noLimits(_ text: String) {
        #expect { try PageLimit(text) } throws: { "\($0)" == "must be an integer from 1 to 1000" }
    }

    @Test("a page has what was asked for, and knows of more by the one item that it does not show")
    func pages() throws {
        let limit = try PageLimit("3")
        for (count, shown, hasNext) in [(0, 0, false), (2, 2, false), (3, 3, false), (4, 3, true)] {
            let page = Page(Array(0..<count), limit: limit)
            #expect(page.items.count == shown && page.hasNext == hasNext)
        }
    }

    @Test("a cursor reads what it writes: the beginning, a position, and the id that lines have")
    func cursors() throws {
        #expect(try InteractionCursor("0").after == nil && InteractionCursor(after: nil).description == "0")
        let number = try #require(TimeOrderedNumber(rawValue: 1 << 60 | 77))
        for cursor in [
            InteractionFeedCursor.position(InteractionPosition(number)), .interaction(InteractionID(number)),
        ] {
            #expect(try InteractionCursor(InteractionCursor(after: cursor).description).after == cursor)
        }
        #expect(InteractionCursor(after: .position(InteractionPosition(number))).description.hasPrefix("p"))
    }

    @Test(
        "anything else is no cursor",
        arguments: ["e4", "p1", "fffffffffffffff", "", "p", "p0", "pp1", "00", "x", "-1", "P1", "p 1"])
    func noCursors(_ text: String) { #expect(throws: CursorError.self) { try InteractionCursor(text) } }
}
