import StubService
import Synchronization
import TestSupport
import Testing

@testable import ConsentLinkClient

/// Exactly once, by the cursor that the caller keeps.
@Suite struct FeedCursorTests {
    private static let count = 200

    /// A feed of `count` interactions whose cursors are their numbers.
    private static func page(_ body: String, _ size: Int) -> StubServer.Reply {
        let after = body.firstMatch(of: /"after":"(\d+)"/).flatMap { Int($0.1) } ?? 0
        guard after < count else { return FeedTests.page(nil, cursor: "\(after)", isLast: true) }
        let last = min(after + size, count)
        return FeedTests.page(after + 1...last, cursor: "\(last)", isLast: last == count)
    }

    @Test("programs that end and connections that break lose nothing and count nothing twice", arguments: 1...5)
    func exactlyOnce(_ seed: Int) async throws {
        let chance = Mutex(SeededGenerator(seed: UInt64(seed)))
        func random(_ range: Range<Int>) -> Int { chance.withLock { Int.random(in: range, using: &$0) } }
        let answer: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, _ in
            let (fault, size) = chance.withLock {
                (Int.random(in: 0..<8, using: &$0), Int.random(in: 1..<20, using: &$0))
            }
            var page = Self.page(request.body, size)
            switch fault {
            case 0: return .init(isSilent: true)
            case 1: return .problem(503, "x")
            case 2: return .init(status: 502)
            case 3: page.breaksOff = true
            default: break
            }
            return page
        }
        try await StubServer.with(answer) { server in
            let acme = try ConsentLinkAPI.quick(server.base, Pauser(), RetryPolicy(attempts: 1000)).organization("acme")
            var stored: (ids: [String], cursor: String?) = ([], nil)
            var isAtEnd = false
            while !isAtEnd, stored.ids.count <= Self.count {
                var left = random(0..<4)
                isAtEnd = true
                for try await page in acme.interactionFeed(InteractionQuery(after: stored.cursor)) {
                    // The program ends here, with a page that it has read and not stored.
                    guard left > 0 else {
                        isAtEnd = false
                        break
                    }
                    left -= 1
                    stored = (stored.ids + page.interactions.map(\.id), page.cursor)
                }
            }
            #expect(stored.ids == (1...Self.count).map(String.init))
            #expect(stored.cursor == "\(Self.count)")
        }
    }

    @Test("an error takes nothing away: the same iterator goes on behind the last page")
    func afterAnError() async throws {
        let answer: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, count in
            count == 2 ? .problem(403, "x") : Self.page(request.body, 150)
        }
        try await StubServer.with(answer) { server in
            var feed = try OrganizationAPI.quick(server.base).interactionFeed().makeAsyncIterator()
            #expect(try await feed.next()?.cursor == "150")
            do {
                _ = try await feed.next()
                Issue.record("no error")
            } catch is ConsentLinkError {}
            #expect(try await feed.next()?.interactions.first?.id == "151")
            #expect(try await feed.next() == nil)
        }
    }
}
