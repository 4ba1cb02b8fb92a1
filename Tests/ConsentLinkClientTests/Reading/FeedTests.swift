import NIOCore
import StubService
import Testing

@testable import ConsentLinkClient

@Suite struct FeedTests {
    static func interaction(_ id: Int) -> String {
        #"{"id":"\#(id)","type":"PushLinkClicked","occurredAt":"2026-11-20T09:00:00.000Z","#
            + #""recordedAt":"2026-11-20T09:00:00.000Z","recipient":null,"message":"m","#
            + #""link":{"index":1,"url":"https://x/","label":null},"action":null,"source":"redirect","#
            + #""automated":false,"first":true,"visitor":"person","visitorReason":"browserAgent"}"#
    }

    static func page(_ ids: ClosedRange<Int>?, cursor: String, isLast: Bool) -> StubServer.Reply {
        let items = ids.map { $0.map(interaction).joined(separator: ",") } ?? ""
        return .json(
            #"{"interactions":[\#(items)],"cursor":"\#(cursor)","next":\#(isLast ? "null" : "\"\(cursor)\"")}"#)
    }

    private func read(_ feed: InteractionFeed) async throws -> [(ids: [String], cursor: String)] {
        var pages: [(ids: [String], cursor: String)] = []
        for try await page in feed { pages.append((page.interactions.map(\.id), page.cursor)) }
        return pages
    }

    @Test("the feed is read behind the caller's cursor to its end, a lost page again")
    func pages() async throws {
        let replies = [
            Self.page(1...2, cursor: "c2", isLast: false), .init(isSilent: true),
            Self.page(3...3, cursor: "c3", isLast: true),
        ]
        try await StubServer.with({ _, count in replies[count - 1] }) { server in
            let query = InteractionQuery(type: .linkClicked, after: "c0")
            let pages = try await read(try OrganizationAPI.quick(server.base).interactionFeed(query))
            #expect(pages.map(\.ids) == [["1", "2"], ["3"]])
            #expect(pages.map(\.cursor) == ["c2", "c3"])
            #expect(Set(server.requests.map(\.line)) == ["POST /v1/orgs/acme/interactions/query"])
            #expect(
                server.requests.map(\.body)
                    == ["c0", "c2", "c2"].map {
                        #"{"after":"\#($0)","limit":1000,"type":"PushLinkClicked"}"#
                    })
        }
    }

    @Test("a feed that is followed waits at its end and goes on, and gives no empty page")
    func following() async throws {
        let replies = [
            Self.page(1...1, cursor: "c1", isLast: true), Self.page(nil, cursor: "c1", isLast: true),
            Self.page(2...2, cursor: "c2", isLast: true),
        ]
        try await StubServer.with({ _, count in replies[count - 1] }) { server in
            let pauser = Pauser()
            let feed = try OrganizationAPI.quick(server.base, pauser).interactionFeed(following: .seconds(2))
            var iterator = feed.makeAsyncIterator()
            #expect(try await iterator.next()?.cursor == "c1")
            #expect(try await iterator.next()?.cursor == "c2")
            #expect(pauser.pauses == [.seconds(2), .seconds(2)])
            #expect(
                server.requests.map(\.body) == [
                    #"{"limit":1000}"#, #"{"after":"c1","limit":1000}"#, #"{"after":"c1","limit":1000}"#,
                ])
        }
    }

    @Test("a feed that is followed without a pause does not ask without end", arguments: [Duration.zero, .seconds(-1)])
    func followingAtOnce(_ following: Duration) async throws {
        let replies = [Self.page(nil, cursor: "c1", isLast: true), Self.page(2...2, cursor: "c2", isLast: true)]
        try await StubServer.with({ _, count in replies[count - 1] }) { server in
            let pauser = Pauser()
            var iterator = try OrganizationAPI.quick(server.base, pauser).interactionFeed(following: following)
                .makeAsyncIterator()
            #expect(try await iterator.next()?.cursor == "c2")
            #expect(pauser.pauses == [.milliseconds(100)])
        }
    }

    @Test("a service that does not wait at the end of the consent feed is asked again after pauses by chance")
    func consentsAtOnce() async throws {
        let change =
            #"{"cursor":"e2","kind":"recipient.erased","consent":null,"erasedAt":"2026-11-20T09:00:00.000Z","#
            + #""erasure":{"consents":1,"decisions":1,"interactions":1}}"#
        func page(_ changes: String, _ cursor: String) -> StubServer.Reply {
            .json(#"{"changes":[\#(changes)],"cursor":"\#(cursor)","next":null}"#)
        }
        // The first is not asked to wait.
        let replies = Array(repeating: page("", "e1"), count: 4) + [page(change, "e2")]
        try await StubServer.with({ _, count in replies[count - 1] }) { server in
            let pauser = Pauser()
            var iterator = try OrganizationAPI.quick(server.base, pauser).consentFeed(following: true)
                .makeAsyncIterator()
            #expect(try await iterator.next()?.cursor == "e2")
            #expect(server.requests.count == 5)
            #expect(pauser.pauses.count == 3)
            for (pause, longest) in zip(pauser.pauses, [200, 400, 800]) {
                #expect(pause >= .milliseconds(longest / 2) && pause <= .milliseconds(longest))
            }
        }
    }

    @Test("an empty feed has no page")
    func empty() async throws {
        try await StubServer.with({ _, _ in Self.page(nil, cursor: "c", isLast: true) }) { server in
            let pages = try await read(try OrganizationAPI.quick(server.base).interactionFeed())
            #expect(pages.isEmpty)
        }
    }

    @Test("pages of decisions are read to the last")
    func decisions() async throws {
        let decision =
            #"{"id":"1","decidedAt":"2026-11-20T09:00:00.000Z","recipient":"ana","message":"m","#
            + #""purpose":"tracking","outcome":"tracked","reason":"consentGiven","enforcement":"restrictive","#
            + #""consent":"c"}"#
        let replies = [#"{"decisions":[\#(decision)],"next":"n"}"#, #"{"decisions":[],"next":null}"#]
        try await StubServer.with({ _, count in .json(replies[count - 1]) }) { server in
            var found: [Decision] = []
            let pages = try OrganizationAPI.quick(server.base).decisions(DecisionQuery(recipient: "ana"))
            for try await page in pages { found += page.decisions }
            #expect(found.map(\.reason) == [.consentGiven])
            #expect(
                server.requests.map(\.body) == [
                    #"{"limit":1000,"recipient":"ana"}"#, #"{"after":"n","limit":1000,"recipient":"ana"}"#,
                ])
            #expect(server.requests.allSatisfy { !$0.path.contains("ana") }, "nobody stands in a URL")
        }
    }

    @Test("an export is decoded line by line")
    func export() async throws {
        let body = (1...500).map { Self.interaction($0) + "\n" }.joined()
        try await StubServer.with({ _, _ in .init(body: body) }) { server in
            var ids: [String] = []
            let query = InteractionQuery(message: "m")
            for try await interaction in try OrganizationAPI.quick(server.base).exportInteractions(query) {
                ids.append(interaction.id)
            }
            #expect(ids == (1...500).map(String.init))
            #expect(server.requests.first?.headers["accept"] == "application/x-ndjson")
            #expect(server.requests.first?.body == #"{"message":"m"}"#)
        }
    }

    @Test("an export that breaks off, or ends within a line, says so")
    func brokenExport() async throws {
        for reply in [
            StubServer.Reply(body: Self.interaction(1) + "\n", breaksOff: true),
            .init(body: Self.interaction(1) + "\n{"),
        ] {
            try await StubServer.with({ _, _ in reply }) { server in
                var count = 0
                var broken: ConsentLinkError?
                do {
                    for try await _ in try OrganizationAPI.quick(server.base).exportInteractions() { count += 1 }
                } catch let error as ConsentLinkError { broken = error }
                guard case .brokenOff? = broken else {
                    Issue.record("\(String(describing: broken))")
                    return
                }
                #expect(count == 1)
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test("an export whose key was deleted meanwhile ends with the refusal")
    func deletedKey() async throws {
        let body = Self.interaction(1) + "\n" + #"{"error":{"status":401,"detail":"deleted"}}"# + "\n"
        _ = try await StubServer.with({ _, _ in .init(body: body) }) { server in
            let error = try await #require(throws: ConsentLinkError.self) {
                for try await found in try OrganizationAPI.quick(server.base).exportInteractions() {
                    #expect(found.id == "1")
                }
            }
            #expect(error.problem?.status == 401)
        }
    }

    @Test("an export that is cancelled is not taken for a whole one")
    func cancelledExport() async throws {
        var plan = LineService.Plan()
        plan.greeting = Self.interaction(1) + "\n"
        plan.isSilent = true
        try await LineService.with(plan) { _, base in
            let (firsts, first) = AsyncStream<String>.makeStream()
            let reading = Task {
                for try await interaction in try OrganizationAPI.quick(base).exportInteractions() {
                    first.yield(interaction.id)
                }
            }
            for await id in firsts {
                #expect(id == "1")
                break
            }
            reading.cancel()
            await #expect(throws: CancellationError.self) { try await reading.value }
        }
    }

    @Test("an archive is given byte for byte, after a service that could not just then")
    func audit() async throws {
        let replies = [StubServer.Reply.problem(503, "not now"), .init(body: "archive")]
        try await StubServer.with({ _, count in replies[count - 1] }) { server in
            var bytes: [UInt8] = []
            let request = AuditRequest(recipient: "ana", since: "checkpoint")
            for try await piece in try OrganizationAPI.quick(server.base).exportAudit(request) {
                bytes += Array(piece.readableBytesView)
            }
            #expect(String(decoding: bytes, as: UTF8.self) == "archive")
            #expect(server.requests.map(\.line) == Array(repeating: "POST /v1/orgs/acme/audits", count: 2))
            #expect(server.requests.last?.body == #"{"recipient":"ana","since":"checkpoint"}"#)
            #expect(server.requests.last?.headers["accept"] == "application/x-tar")
        }
    }
}
