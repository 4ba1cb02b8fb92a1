import Identifiers
import StubService
import TestSupport
import Testing

@testable import consentlink

/// Rows that were sent, and whose answer did not come before the command was ended: they may be recorded.
@Suite struct UnderWayImportTests {

    private func rows(_ numbers: ClosedRange<Int>) -> String { numbers.map { "p\($0),given\n" }.joined() }

    private func run(
        _ text: String, in folder: TemporaryFolder, at server: StubServer, patience: Duration = .zero,
        key: String = "k", time: Timestamp? = nil
    ) async throws -> ConsentImport.Summary {
        let work = ConsentImport(
            sender: ConsentSender(
                client: try APIClient(base: server.base, key: key), organization: "acme", patience: patience),
            journal: ImportJournal(path: folder.path(of: "j")), errorPath: folder.path(of: "e"), rowsDone: RowCount(),
            askTime: { time })
        let path = try folder.write(text.contains("recipient") ? text : "recipient,state\n" + text, to: "rows")
        return try await work.run(
            ImportSource(try InputFile(path: path), .csv), after: try journal(folder) ?? .init(run: "1"))
    }

    private func journal(_ folder: TemporaryFolder) throws -> ImportJournal.Progress? {
        try ImportJournal(path: folder.path(of: "j")).read()
    }

    /// An import of `text` whose request number `lost`, from 1, is not answered, and then what `body` does.
    private func afterLosing(
        _ lost: Int, of text: String, _ body: (TemporaryFolder, StubServer) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let reply: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, count in
                guard count != lost else { return .problem(503, "not now") }
                let records = request.body.split(separator: "},")
                guard count <= lost, let index = records.firstIndex(where: { $0.contains("bad") }) else {
                    return .recorded(request)
                }
                return .problem(422, "no", errors: #"[{"pointer":"/\#(index)/state","detail":"is none"}]"#)
            }
            try await StubServer.with(reply) { server in
                await #expect(throws: CommandFailure.self) { _ = try await run(text, in: folder, at: server) }
                #expect(server.requests.count == lost)
                try await body(folder, server)
            }
        }
    }

    @Test("a batch under way is sent again as it was, and rows that were added since in one of their own")
    func grown() async throws {
        try await afterLosing(1, of: rows(1...3)) { folder, server in
            let sent = try #require(try journal(folder)?.underWay)
            #expect(sent.end?.rows == 3)
            let summary = try await run(rows(1...5), in: folder, at: server)
            #expect(summary.recorded == 5)
            #expect(server.requests.map { $0.body.split(separator: "},").count } == [3, 3, 2])
            #expect(server.requests[0].body == server.requests[1].body)
            #expect(server.requests[0].headers["idempotency-key"] == server.requests[1].headers["idempotency-key"])
            #expect(try journal(folder)?.isDone == true)
        }
    }

    @Test("a batch under way behind others is sent again as it was")
    func behind() async throws {
        try await afterLosing(2, of: rows(1...1500)) { folder, server in
            let summary = try await run(rows(1...2600), in: folder, at: server)
            #expect(summary.recorded == 2600)
            #expect(server.requests.map { $0.body.split(separator: "},").count } == [1000, 500, 500, 1000, 100])
            #expect(server.requests[1].body == server.requests[2].body)
        }
    }

    @Test("rows under way that are not the same any more are not sent, and it is said what to do")
    func changed() async throws {
        for text in ["p1,given\np2,withdrawn\np3,given\n", rows(1...2), "p0,given\n" + rows(1...3), "p1,given\n", ""] {
            try await afterLosing(1, of: rows(1...3)) { folder, server in
                let before = try journal(folder)
                let failure = try await #require(throws: CommandFailure.self) {
                    _ = try await run(text, in: folder, at: server)
                }
                #expect(failure.description.hasPrefix("consentlink: rows 1 to 3 were sent at "))
                #expect(failure.description.contains("they are not the same any more. Nothing was recorded now."))
                #expect(failure.description.hasSuffix("import the rest as a file of its own"))
                #expect(server.requests.count == 1)
                #expect(try journal(folder) == before, "putting them back is enough")
                #expect(try await run(rows(1...3), in: folder, at: server).recorded == 3)
            }
        }
    }

    @Test("rows of which the service said that it records none may be changed before they are sent again")
    func unrecorded() async throws {
        try await TemporaryFolder.with { folder in
            let reply: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, count in
                count == 1 ? .problem(403, "no scope") : .recorded(request)
            }
            try await StubServer.with(reply) { server in
                await #expect(throws: CommandFailure.self) { _ = try await run(rows(1...3), in: folder, at: server) }
                let left = try journal(folder)
                #expect(left?.underWay == nil)
                #expect(try await run("p1,withdrawn\n", in: folder, at: server).recorded == 1)
            }
        }
    }

    @Test("rows that may be recorded by an earlier request stay under way when a later one is refused")
    func refusedLater() async throws {
        try await afterLosing(1, of: rows(1...3)) { folder, _ in
            let before = try journal(folder)
            try await StubServer.with({ _, _ in .problem(403, "no scope") }) { server in
                await #expect(throws: CommandFailure.self) { _ = try await run(rows(1...3), in: folder, at: server) }
                let after = try journal(folder)
                #expect(after == before)
            }
        }
        let reply: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { _, count in
            count == 1 ? .problem(503, "not now") : .problem(403, "no scope")
        }
        try await TemporaryFolder.with { folder in
            try await StubServer.with(reply) { server in
                await #expect(throws: CommandFailure.self) {
                    _ = try await run(rows(1...3), in: folder, at: server, patience: .seconds(60))
                }
                #expect(server.requests.count == 2)
                let left = try journal(folder)
                #expect(left?.underWay?.end?.rows == 3)
            }
        }
    }

    @Test("a row that was refused stays so when it would fit later: the others are sent again by their old name")
    func refused() async throws {
        try await afterLosing(2, of: "p1,given\np2,bad\np3,given\n") { folder, server in
            #expect(try journal(folder)?.underWay?.refused == [.init(line: 3, reason: "/state is none")])
            let summary = try await run("p1,given\np2,bad\np3,given\np4,given\n", in: folder, at: server)
            #expect((summary.recorded, summary.refused) == (3, 1))
            #expect(server.requests[1].body == server.requests[2].body)
            #expect(server.requests[1].headers["idempotency-key"] == server.requests[2].headers["idempotency-key"])
            #expect(server.requests.count == 4)
            #expect(try folder.text(of: "e") == "{\"line\":3,\"lastLine\":3,\"reason\":\"/state is none\"}\n")
        }
    }

    @Test("rows that were added are recorded where the command was ended before the journal said that it was done")
    func undone() async throws {
        try await TemporaryFolder.with { folder in
            try await StubServer.with({ request, _ in .recorded(request) }) { server in
                _ = try await run(rows(1...2), in: folder, at: server)
                var left = try #require(try journal(folder))
                left.whole = nil
                try ImportJournal(path: folder.path(of: "j")).write(left)
                #expect(try await run(rows(1...3), in: folder, at: server).recorded == 3)
                #expect(server.requests.map { $0.body.split(separator: "},").count } == [2, 1])
            }
        }
    }

    @Test("what the service would not know again is not sent again where a row has no time, or one that was to come")
    func tooLate() async throws {
        func timed(_ time: String) -> String { "recipient,state,occurredAt\nana,given,\(time)\n" }
        for (text, isSent) in [
            ("recipient,state\nana,given\n", false), (timed("1969-12-31T23:59:00Z"), true),
            (timed("1969-12-31T23:59:01Z"), false), (timed("1970-01-01T00:04:00Z"), false),
        ] {
            try await afterLosing(1, of: text) { folder, server in
                var start = try #require(try journal(folder))
                // Long ago by any clock, or it would be in the future.
                start.underWay?.sentAt = Timestamp(millisecondsSince1970: 0)
                try ImportJournal(path: folder.path(of: "j")).write(start)
                guard !isSent else {
                    #expect(try await run(text, in: folder, at: server).recorded == 1)
                    return
                }
                let failure = try await #require(throws: CommandFailure.self) {
                    _ = try await run(text, in: folder, at: server)
                }
                #expect(failure.description.contains("lines 2 to 2 were sent at 1970-01-01T00:00:00.000Z"))
                #expect(failure.description.contains("it would not know them again"))
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test("the age of what is under way is judged by the service's clock, and what was sent later than now is old")
    func otherClock() async throws {
        let text = "recipient,state\nana,given\n"
        let hour: Int64 = 3_600_000
        for (hours, minutes, isSent) in [(22, 0, true), (24, 0, false), (0, -1, true), (0, -2, false)] {
            try await afterLosing(1, of: text) { folder, server in
                let sentAt = try #require(try journal(folder)?.underWay?.sentAt)
                let time = sentAt + (Int64(hours) * hour + Int64(minutes) * 60_000)
                guard !isSent else {
                    #expect(try await run(text, in: folder, at: server, time: time).recorded == 1)
                    return
                }
                let failure = try await #require(throws: CommandFailure.self) {
                    _ = try await run(text, in: folder, at: server, time: time)
                }
                #expect(failure.description.contains("know them again"))
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test("what another key sent, or one that the journal does not tell, is not sent again where a row has no time")
    func otherKey() async throws {
        let timed = "recipient,state,occurredAt\nana,given,2026-01-01T00:00:00Z\n"
        let untimed = "recipient,state\nana,given\n"
        for (key, text, isNoted, isSent) in [
            ("k", untimed, true, true), ("other", untimed, true, false), ("k", untimed, false, false),
            ("other", timed, true, true), ("k", timed, false, true),
        ] {
            try await afterLosing(1, of: text) { folder, server in
                var start = try #require(try journal(folder))
                #expect(start.underWay?.sentBy != nil)
                #expect(try !folder.text(of: "j").contains("\"k\""), "the key is in no journal")
                if !isNoted { start.underWay?.sentBy = nil }
                try ImportJournal(path: folder.path(of: "j")).write(start)
                guard !isSent else {
                    #expect(try await run(text, in: folder, at: server, key: key).recorded == 1)
                    return
                }
                let failure = try await #require(throws: CommandFailure.self) {
                    _ = try await run(text, in: folder, at: server, key: key)
                }
                let why =
                    isNoted
                    ? "only with the key that sent them, which is another one"
                    : "the version that sent them did not note with which key"
                #expect(failure.description.contains(why))
                #expect(server.requests.count == 1)
            }
        }
    }

    private static func earlier(_ rows: Int, _ digest: String, sentAt: String = "null", ends: String = "") -> String {
        let isDone = ends.isEmpty ? "false" : "true,\"ends\":[\(ends)]"
        return """
            {"version":1,"run":"1f","rows":\(rows),"digest":"\(digest)","recorded":\(rows),"refused":0,"errorBytes":0,\
            "sentAt":\(sentAt),"done":\(isDone)}
            """
    }

    private static let four = "a6296c99dc3117eb78c4c14f6b4223ef765c45ebdeb92ff7dc7bb6ea884ff3fa"
    private static let six = "bb22cc29d69b074cca1f4ce776c14c16140b318cceddded8f0b01c6bbf95dc34"

    @Test(
        "an import that version 1 of the journal tells of is gone on with",
        arguments: [
            (earlier(4, four, ends: "4"), 4), (earlier(4, four), 4), (earlier(6, six, ends: "4,6"), 6),
            (earlier(0, ""), 0),
        ])
    func version1(_ text: String, _ done: Int) async throws {
        try await TemporaryFolder.with { folder in
            try await StubServer.with({ request, _ in .recorded(request) }) { server in
                try folder.write(text, to: "j")
                if done > 0 {
                    await #expect(throws: CommandFailure.self) {
                        _ = try await run("p1,withdrawn\n" + rows(2...8), in: folder, at: server)
                    }
                }
                #expect(try await run(rows(1...8), in: folder, at: server).recorded == 8)
                #expect(server.requests.map { $0.body.split(separator: "},").count } == [8 - done])
                #expect(try await run(rows(1...9), in: folder, at: server).recorded == 9)
                #expect(server.requests.count == 2)
            }
        }
    }

    @Test("rows that version 1 of the journal has under way are sent again where all have a time of their own")
    func version1UnderWay() async throws {
        let timed = (1...2).map { "p\($0),given,2026-01-01T00:00:00Z\n" }.joined()
        try await TemporaryFolder.with { folder in
            try await StubServer.with({ request, _ in .recorded(request) }) { server in
                try folder.write(Self.earlier(0, "", sentAt: "\"\(Timestamp.noon.rfc3339)\""), to: "j")
                let failure = try await #require(throws: CommandFailure.self) {
                    _ = try await run(rows(1...2), in: folder, at: server)
                }
                #expect(failure.description.contains("lines 2 to 3 were sent at \(Timestamp.noon.rfc3339)"))
                #expect(failure.description.contains("and some have no occurredAt"))
                #expect(server.requests.isEmpty)
                #expect(
                    try await run("recipient,state,occurredAt\n" + timed, in: folder, at: server).recorded == 2)
            }
        }
    }
}
