import Foundation
import StubService
import TestSupport
import Testing

@testable import consentlink

/// A file that was imported whole, and that has other rows when it is imported again.
@Suite struct GrownImportTests {

    /// An import of each text in turn, each going on where the one before ended.
    private func imports(
        _ texts: [String], in folder: TemporaryFolder, at server: StubServer
    ) async throws -> [ConsentImport.Summary] {
        var summaries: [ConsentImport.Summary] = []
        for text in texts {
            let work = ConsentImport(
                sender: ConsentSender(
                    client: try APIClient(base: server.base, key: "k"), organization: "acme", patience: .zero),
                journal: ImportJournal(path: folder.path(of: "j")), errorPath: folder.path(of: "e"),
                rowsDone: RowCount())
            let start = try work.journal.read() ?? .init(run: "1")
            let path = try folder.write("recipient,state\n" + text, to: "rows")
            let rows = ImportSource(try InputFile(path: path), .csv)
            summaries.append(try await work.run(rows, after: start))
        }
        return summaries
    }

    private func rows(_ numbers: ClosedRange<Int>) -> String { numbers.map { "p\($0),given\n" }.joined() }

    @Test("rows that were added are recorded once, and those before them are not sent again")
    func added() async throws {
        try await TemporaryFolder.with { folder in
            try await StubServer.with({ request, _ in .recorded(request) }) { server in
                let summaries = try await imports(
                    [rows(1...4), rows(1...6), rows(1...6), rows(1...1500)], in: folder, at: server)
                #expect(summaries.map(\.recorded) == [4, 6, 6, 1500])
                #expect(summaries.map { $0.growth?.before } == [nil, 4, 6, 6])
                #expect(summaries.map { $0.growth?.added } == [nil, 2, 0, 1494])
                let sent = server.requests.map { $0.body.split(separator: "},").count }
                #expect(sent == [4, 2, 1000, 494])
                #expect(try ImportJournal(path: folder.path(of: "j")).read()?.whole?.rows == 1500)
            }
        }
    }

    @Test("rows that were added are gone on with after an interruption")
    func interrupted() async throws {
        try await TemporaryFolder.with { folder in
            let reply: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, count in
                count == 3 ? .problem(403, "the key was taken back") : .recorded(request)
            }
            try await StubServer.with(reply) { server in
                await #expect(throws: CommandFailure.self) {
                    _ = try await imports([rows(1...4), rows(1...1500)], in: folder, at: server)
                }
                let summary = try #require(try await imports([rows(1...1500)], in: folder, at: server).first)
                #expect(summary.recorded == 1500)
                #expect((summary.growth?.before, summary.growth?.added) == (4, 1496))
                #expect(server.requests[2].body == server.requests[3].body)
                #expect(server.requests.map { $0.body.split(separator: "},").count } == [4, 1000, 496, 496])
            }
        }
    }

    @Test("rows that were refused are told apart: before the file was whole, and since")
    func refusals() async throws {
        let reply: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, _ in
            request.body.contains("bad")
                ? .problem(422, "no", errors: #"[{"pointer":"/0/state","detail":"is none"}]"#) : .recorded(request)
        }
        try await TemporaryFolder.with { folder in
            try await StubServer.with(reply) { server in
                let summaries = try await imports(
                    [
                        "p1,bad\np2,given\n", "p1,bad\np2,given\n", "p1,bad\np2,given\np3,given\n",
                        "p1,bad\np2,given\np3,given\np4,bad\n",
                    ], in: folder, at: server)
                #expect(summaries.map(\.refused) == [1, 1, 1, 2])
                #expect(summaries.map(\.refusedNow) == [1, 0, 0, 1])
                #expect(summaries.map { $0.refusals.map(\.lines) } == [[2...2], [], [], [5...5]])
            }
        }
    }

    @Test("errors that were dealt with may be gone when rows are added, and an end that was not noted names no row")
    func dealtWith() async throws {
        let reply: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, _ in
            request.body.contains("bad")
                ? .problem(422, "no", errors: #"[{"pointer":"/0/state","detail":"is none"}]"#) : .recorded(request)
        }
        try await TemporaryFolder.with { folder in
            try await StubServer.with(reply) { server in
                _ = try await imports(["p1,bad\np2,given\n"], in: folder, at: server)
                try FileManager.default.removeItem(atPath: folder.path(of: "e"))
                let summary = try await imports(["p1,bad\np2,given\np3,bad\n"], in: folder, at: server)[0]
                #expect((summary.refused, summary.refusedNow, summary.refusedEarlier) == (2, 1, 0))
                #expect(try folder.text(of: "e").hasPrefix("{\"line\":4,"))
                // As a run leaves it that is killed behind its last batch.
                let journal = ImportJournal(path: folder.path(of: "j"))
                var left = try #require(try journal.read())
                left.whole = nil
                try journal.write(left)
                let resumed = try await imports(["p1,bad\np2,given\np3,bad\n"], in: folder, at: server)[0]
                #expect((resumed.refused, resumed.refusedNow, resumed.refusedEarlier) == (2, 2, 2))
                #expect(resumed.refusals.isEmpty)
            }
        }
    }

    @Test("rows that were changed or are gone are said, with what to do, and nothing is recorded")
    func changed() async throws {
        for text in ["p1,given\np2,withdrawn\n", "p1,given\n", "p1,given\np2,withdrawn\np3,given\n"] {
            try await TemporaryFolder.with { folder in
                try await StubServer.with({ request, _ in .recorded(request) }) { server in
                    let failure = try await #require(throws: CommandFailure.self) {
                        _ = try await imports([rows(1...2), text], in: folder, at: server)
                    }
                    #expect(failure.description.contains("the first 2 rows are not those that"))
                    #expect(failure.description.contains("Nothing was recorded now."))
                    #expect(failure.description.contains("rows that were changed go into a file of their own"))
                    #expect(server.requests.count == 1)
                }
            }
        }
    }

    @Test(
        "a row that was refused and is changed since is noticed, and so are rows that it swallows behind an open quote")
    func changedRefusal() async throws {
        for (before, after) in [
            ("p2,\"given\n", "p2,\"given\np1,withdrawn\n"), ("p2\n", "p3\n"), ("p2,\"given\n", "p2,\"given\n\"\n"),
        ] {
            try await TemporaryFolder.with { folder in
                try await StubServer.with({ request, _ in .recorded(request) }) { server in
                    let failure = try await #require(throws: CommandFailure.self) {
                        _ = try await imports(
                            ["p1,given\n" + before, "p1,given\n" + after], in: folder, at: server)
                    }
                    #expect(failure.description.contains("the first 2 rows are not those that"))
                    #expect(server.requests.count == 1)
                }
            }
        }
    }

    @Test("rows may be added behind a row that was refused and had no line end yet")
    func addedBehindRefusal() async throws {
        try await TemporaryFolder.with { folder in
            try await StubServer.with({ request, _ in .recorded(request) }) { server in
                let summaries = try await imports(["p1", "p1\r\np2,given\r\n"], in: folder, at: server)
                #expect(summaries.map(\.recorded) == [0, 1])
            }
        }
    }

    @Test("a file without rows is no import that was done")
    func empty() async throws {
        try await TemporaryFolder.with { folder in
            try await StubServer.with({ request, _ in .recorded(request) }) { server in
                let summary = try #require(try await imports([""], in: folder, at: server).first)
                #expect(summary.recorded == 0)
                #expect(!folder.contains("j"))
            }
        }
    }
}
