import StubService
import Testing

@testable import ConsentLinkClient

@Suite struct ListedItemsTests {
    private static func page(_ ids: [Int], next: String?) -> StubServer.Reply {
        let keys = ids.map { #"{"id":"\#($0)","scopes":["read"],"name":""}"# }.joined(separator: ",")
        return .json(#"{"keys":[\#(keys)],"next":\#(next.map { "\"\($0)\"" } ?? "null")}"#)
    }

    @Test("a list is read page by page to its end, a lost page again")
    func pages() async throws {
        let replies = [
            Self.page([1, 2], next: "a/b"), .init(isSilent: true), Self.page([], next: "c"), Self.page([3], next: nil),
        ]
        try await StubServer.with({ _, count in replies[count - 1] }) { server in
            let keys = try await items(try OrganizationAPI.quick(server.base).keys())
            #expect(keys.map(\.id) == ["1", "2", "3"])
            #expect(
                server.requests.map(\.line)
                    == ["", "after=a%2Fb&", "after=a%2Fb&", "after=c&"].map {
                        "GET /v1/orgs/acme/keys?\($0)limit=1000"
                    })
        }
    }

    @Test("no page is asked for before its items are wanted")
    func lazily() async throws {
        try await StubServer.with({ _, count in Self.page([count, count], next: "\(count)") }) { server in
            var iterator = try OrganizationAPI.quick(server.base).keys().makeAsyncIterator()
            #expect(server.requests.isEmpty)
            for (count, requests) in [(1, 1), (1, 1), (2, 2), (2, 2), (3, 3)] {
                #expect(try await iterator.next()?.id == "\(count)")
                #expect(server.requests.count == requests)
            }
        }
    }

    @Test("an error takes nothing away: the same iterator goes on with the page that failed")
    func afterAnError() async throws {
        let replies = [Self.page([1], next: "a"), .problem(403, "x"), Self.page([2], next: nil)]
        try await StubServer.with({ _, count in replies[count - 1] }) { server in
            var iterator = try OrganizationAPI.quick(server.base).keys().makeAsyncIterator()
            #expect(try await iterator.next()?.id == "1")
            do {
                _ = try await iterator.next()
                Issue.record("no error")
            } catch is ConsentLinkError {}
            #expect(try await iterator.next()?.id == "2")
            #expect(try await iterator.next() == nil)
            #expect(try await iterator.next() == nil)
        }
    }

    @Test("a list that goes on with the page that it gave is not read for ever", arguments: [[], [1]])
    func standingStill(_ ids: [Int]) async throws {
        try await StubServer.with({ _, _ in Self.page(ids, next: "a") }) { server in
            await #expect(throws: ConsentLinkError.unexpectedAnswer("a list goes on with the page that it gave")) {
                _ = try await items(try OrganizationAPI.quick(server.base).keys())
            }
            #expect(server.requests.count == 2)
        }
    }
}
