import HTTPConnections
import Identifiers
import NIOHTTP1
import Testing

@testable import Redirect

/// The state machine alone: events on the left, what the handler must do on the right.
@Suite struct RedirectStateMachineTests {
    private func check(_ story: Story) throws {
        var rehearsal = RedirectRehearsal()
        for (number, (event, expected)) in story.steps.enumerated() {
            let actions = try rehearsal.when(event)
            #expect(actions == expected, "step \(number + 1), \(event)")
        }
    }

    private static let orderStories: [Story] = [
        Story(
            "links that are in memory are answered at once",
            (.plain(.memory), ["answer"]), (.plain(.memory), ["answer"])),
        Story(
            "what stands behind a click waits for the spool, and is taken in its order",
            (.plain(.click), ["spool"]), (.plain(.memory), []), (.plain(.click), []), (.plain(.memory), []),
            (.spoolAnswers, ["answer", "answer", "spool"]), (.spoolAnswers, ["answer", "answer"])),
        Story(
            "what stands behind a look-up waits for the store",
            (.plain(.unknown), ["look up"]), (.plain(.memory), []), (.storeAnswers, ["answer", "answer"])),
        Story(
            "the router hears of a request behind a click when the click is answered",
            (.plain(.click), ["spool"]), (.routerAdded, []), (.get("/b"), []), (.get("/c"), []),
            (.spoolAnswers, ["answer", "forward /b", "forward the end", "forward /c", "forward the end"])),
        Story(
            "a click behind a router's request waits for the router's answer",
            (.routerAdded, []), (.get("/a"), ["forward /a", "forward the end"]), (.get("/r/click"), []),
            (.routerAnswers, ["open GET /r/click", "spool"]), (.spoolAnswers, ["answer"])),
        Story(
            "a link behind two of the router's requests waits for both answers",
            (.routerAdded, []), (.get("/a"), ["forward /a", "forward the end"]),
            (.get("/b"), ["forward /b", "forward the end"]), (.get("/r/memory"), []), (.get("/c"), []),
            (.routerAnswers, []),
            (.routerAnswers, ["open GET /r/memory", "answer", "forward /c", "forward the end"])),
        Story(
            "a router that answers early gets the rest of the body",
            (.routerAdded, []), (.head("/a", .POST), ["forward /a"]), (.routerAnswers, []),
            (.body(3), ["forward 3 bytes"]), (.end, ["forward the end"]),
            (.get("/r/memory"), ["open GET /r/memory", "answer"])),
        Story(
            "HEAD is followed as HEAD, and other methods are the handler's to refuse",
            (.routerAdded, []), (.head("/r/memory", .HEAD), []), (.end, ["open HEAD /r/memory", "answer"]),
            (.head("/r/memory", .POST), []), (.end, ["open POST /r/memory", "answer"])),
        Story(
            "an absolute target is a link, and what devices report is not",
            (.routerAdded, []), (.get("http://x/r/memory"), ["open GET http://x/r/memory", "answer"]),
            (.get("/r/?id=1"), ["forward /r/?id=1", "forward the end"])),
    ]

    @Test("answers leave in the order of their requests", arguments: orderStories)
    func inOrder(_ story: Story) throws { try check(story) }

    private static let bodiesStories: [Story] = [
        Story(
            "a body of 64 KiB is ignored, in one piece or in several",
            (.routerAdded, []), (.head("/r/memory"), []), (.body(65_536), []),
            (.end, ["open GET /r/memory", "answer"]),
            (.head("/r/memory"), []), (.body(65_535), []), (.body(1), []), (.end, ["open GET /r/memory", "answer"])),
        Story(
            "who waits for leave to send a body is answered without it",
            (.routerAdded, []), (.head("/r/click", .POST, expect: "100-continue"), ["open POST /r/click", "spool"]),
            (.spoolAnswers, ["last answer"]), (.body(3), []), (.end, [])),
        Story(
            "a longer body closes the connection, and nothing more is taken from it",
            (.routerAdded, []), (.head("/r/click"), []), (.body(65_536), []), (.body(1), ["close"]), (.end, []),
            (.get("/b"), []), (.stop, [])),
        Story(
            "the router gets a body of any length",
            (.routerAdded, []), (.head("/a"), ["forward /a"]), (.body(65_537), ["forward 65537 bytes"]),
            (.end, ["forward the end"])),
    ]

    @Test("bodies of requests for links are ignored up to a bound", arguments: bodiesStories)
    func bodies(_ story: Story) throws { try check(story) }

    private static let malformedStories: [Story] = [
        Story("malformed input is refused", (.routerAdded, []), (.malformed, ["count", "400"])),
        Story(
            "nothing after malformed input is looked at, another error neither",
            (.routerAdded, []), (.malformed, ["count", "400"]), (.get("/b"), []), (.get("/r/click"), []),
            (.malformed, []),
            (.plain(.click), [])),
        Story(
            "a click before it is answered first",
            (.plain(.click), ["spool"]), (.routerAdded, []), (.malformed, ["count"]), (.malformed, []),
            (.get("/b"), []),
            (.spoolAnswers, ["answer", "400"])),
        Story(
            "a router's request before it is answered first",
            (.routerAdded, []), (.get("/a"), ["forward /a", "forward the end"]), (.malformed, ["count"]),
            (.routerAnswers, ["400"])),
        Story(
            "within a request of the router it is the router's to answer, and it answers once",
            (.routerAdded, []), (.head("/a"), ["forward /a"]), (.malformed, ["count", "forward the error"]),
            (.get("/r/click"), []), (.routerAnswers, []), (.stop, [])),
        Story(
            "within a request for a link that link is not followed",
            (.routerAdded, []), (.head("/r/click"), []), (.malformed, ["count", "400"]), (.end, [])),
    ]

    @Test("malformed input ends a connection after the answers to what came before it", arguments: malformedStories)
    func malformed(_ story: Story) throws { try check(story) }

    private static let endsStories: [Story] = [
        Story(
            "a client that asks for it is answered and closed, and what it sends behind is ignored",
            (.routerAdded, []), (.get("/r/memory", ["Connection": "close"]), ["open GET /r/memory", "last answer"]),
            (.get("/b"), []), (.plain(.click), [])),
        Story(
            "a request behind one that ends the connection is dropped",
            (.routerAdded, []), (.get("/r/click", ["Connection": "close"]), ["open GET /r/click", "spool"]),
            (.get("/b"), []), (.spoolAnswers, ["last answer"])),
        Story(
            "HTTP/1.0 ends a connection unless it asks to keep it",
            (.routerAdded, []),
            (
                .get("/r/memory", ["Connection": "keep-alive"], version: .http1_0),
                ["open GET /r/memory", "answer"]
            ),
            (.get("/r/memory", version: .http1_0), ["open GET /r/memory", "last answer"])),
        Story("before the service leaves, each answer is the last", (.leaving, []), (.plain(.memory), ["last answer"])),
        Story("an idle connection is closed by a stop", (.stop, ["close"]), (.plain(.memory), []), (.stop, [])),
        Story(
            "a stop waits for a click under way, whose answer is the last",
            (.plain(.click), ["spool"]), (.plain(.memory), []), (.stop, []), (.spoolAnswers, ["last answer"])),
        Story(
            "a stop waits for the router's answers",
            (.routerAdded, []), (.get("/a"), ["forward /a", "forward the end"]),
            (.get("/b"), ["forward /b", "forward the end"]), (.stop, []), (.routerAnswers, []),
            (.routerAnswers, ["close"])),
        Story(
            "a stop within a request for a link lets it end",
            (.routerAdded, []), (.head("/r/memory"), []), (.stop, []), (.end, ["open GET /r/memory", "last answer"])),
        Story(
            "the answer of the spool finds a connection that is gone",
            (.plain(.click), ["spool"]), (.plain(.memory), []), (.gone, []), (.spoolAnswers, ["ignore"]),
            (.plain(.memory), [])),
        Story(
            "the answer of the store finds a connection that is gone",
            (.plain(.unknown), ["look up"]), (.gone, []), (.storeAnswers, ["ignore"])),
        Story(
            "the router's answer finds a connection that is gone",
            (.routerAdded, []), (.get("/a"), ["forward /a", "forward the end"]), (.get("/r/click"), []), (.gone, []),
            (.routerAnswers, [])),
        Story(
            "a connection that failed is closed, by the router when it has one",
            (.plain(.click), ["spool"]), (.failure, ["close"]), (.failure, []), (.spoolAnswers, ["ignore"])),
        Story(
            "a failure is the router's where there is one",
            (.plain(.click), ["spool"]), (.routerAdded, []), (.failure, []), (.spoolAnswers, ["answer"])),
    ]

    @Test("a connection ends after the answers that it owes, and with nothing else", arguments: endsStories)
    func ends(_ story: Story) throws { try check(story) }

    private static let inputStories: [Story] = [
        Story("an idle client that sends nothing more is closed", (.inputClosed, ["close"]), (.inputClosed, [])),
        Story(
            "the router hears of it where there is one",
            (.routerAdded, []), (.inputClosed, ["forward the end of input"])),
        Story(
            "it is answered first",
            (.plain(.click), ["spool"]), (.plain(.memory), []), (.inputClosed, []),
            (.spoolAnswers, ["answer", "answer", "close"])),
        Story(
            "the router answers first, and hears of it after",
            (.routerAdded, []), (.get("/a"), ["forward /a", "forward the end"]), (.get("/r/click"), []),
            (.inputClosed, []), (.routerAnswers, ["open GET /r/click", "spool"]),
            (.spoolAnswers, ["answer", "forward the end of input"]), (.stop, ["close"])),
        Story("between requests everything is read", (.readRequested, ["read"])),
        Story(
            "behind a click one reading is passed on, until something waits",
            (.plain(.click), ["spool"]), (.readRequested, ["read"]), (.plain(.memory), []),
            (.readRequested, ["hold the read"]), (.spoolAnswers, ["answer", "answer", "read"])),
        Story(
            "a reading that is held waits for all answers that the next one must not overtake",
            (.plain(.click), ["spool"]), (.plain(.click), []), (.plain(.memory), []),
            (.readRequested, ["hold the read"]), (.spoolAnswers, ["answer", "spool"]),
            (.spoolAnswers, ["answer", "answer", "read"])),
        Story(
            "requests that the router has do not hold reading back",
            (.routerAdded, []), (.get("/a"), ["forward /a", "forward the end"]), (.readRequested, ["read"]),
            (.get("/r/memory"), []), (.readRequested, ["hold the read"]),
            (.routerAnswers, ["open GET /r/memory", "answer", "read"])),
    ]

    @Test("no more is read than what is under way needs", arguments: inputStories)
    func input(_ story: Story) throws { try check(story) }

    @Test("the stage says what is under way")
    func stages() throws {
        var rehearsal = RedirectRehearsal()
        func stage(_ event: RedirectRehearsal.Event) throws -> ConnectionStage {
            _ = try rehearsal.when(event)
            return rehearsal.machine.stage
        }
        #expect(try stage(.plain(.memory)) == .idle)
        #expect(try stage(.plain(.click)) == .owing)
        #expect(try stage(.spoolAnswers) == .idle)
        #expect(try stage(.routerAdded) == .idle)
        #expect(try stage(.get("/r/unknown")) == .owing)
        #expect(try stage(.storeAnswers) == .idle)
        #expect(try stage(.head("/r/memory")) == .receiving)
        #expect(try stage(.end) == .idle)
        #expect(try stage(.head("/a")) == .receiving)
        #expect(try stage(.end) == .owing)
        #expect(try stage(.head("/b")) == .owing)
        #expect(try stage(.routerAnswers) == .receiving)
        #expect(try stage(.end) == .owing)
        #expect(try stage(.gone) == .idle)
    }
}
