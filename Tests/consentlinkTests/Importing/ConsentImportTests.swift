import Identifiers
import StubService
import Synchronization
import TestSupport
import Testing

@testable import consentlink

@Suite struct ConsentImportTests {
    private let table = "recipient,state\nana,given\n,given\nbo\ncy,withdrawn\n"

    private func made(_ server: StubServer, _ folder: TemporaryFolder, patience: Duration = .zero) throws
        -> ConsentImport
    {
        ConsentImport(
            sender: ConsentSender(
                client: try APIClient(base: server.base, key: "k"), organization: "acme", patience: patience),
            journal: ImportJournal(path: folder.path(of: "j")), errorPath: folder.path(of: "e"), rowsDone: RowCount())
    }

    private func source(_ text: String, _ folder: TemporaryFolder) throws -> ImportSource {
        ImportSource(try InputFile(path: try folder.write(text, to: "rows")), .csv)
    }

    private static let secondIsBad = StubServer.Reply.problem(
        422, "no", errors: #"[{"pointer":"/1/recipient","detail":"is empty"},{"pointer":"/1","detail":"x"}]"#)

    @Test("rows that fit are recorded, the others are told by their line, and the journal says that it is done")
    func whole() async throws {
        try await TemporaryFolder.with { folder in
            try await StubServer.with({ request, count in count == 1 ? Self.secondIsBad : .recorded(request) }) {
                server in
                let work = try made(server, folder)
                let summary = try await work.run(try source(table, folder), after: .init(run: "1"))
                #expect((summary.recorded, summary.refused) == (2, 2))
                #expect(summary.refusals.map(\.lines) == [3...3, 4...4])
                #expect(summary.refusals[0].reason == "/recipient is empty; x")
                #expect(
                    try folder.text(of: "e")
                        == "{\"line\":3,\"lastLine\":3,\"reason\":\"/recipient is empty; x\"}\n"
                        + "{\"line\":4,\"lastLine\":4,\"reason\":\"it has 1 field, and the header has 2\"}\n")
                let journal = try #require(try work.journal.read())
                #expect((journal.rows, journal.recorded, journal.refused, journal.isDone) == (4, 2, 2, true))
                #expect(journal.errorBytes == (try folder.text(of: "e")).utf8.count)
                #expect(journal.underWay == nil)
                #expect((work.rowsDone.before, work.rowsDone.thisRun) == (0, 4))
                #expect(
                    server.requests.map(\.body) == [
                        #"[{"recipient":"ana","state":"given"},{"recipient":"","state":"given"},"#
                            + #"{"recipient":"cy","state":"withdrawn"}]"#,
                        #"[{"recipient":"ana","state":"given"},{"recipient":"cy","state":"withdrawn"}]"#,
                    ])
                let keys = server.requests.map { $0.headers["idempotency-key"] ?? "" }
                #expect(Set(keys).count == 2, "another body is another request")
                #expect(server.requests.map(\.line) == Array(repeating: "POST /v1/orgs/acme/consents", count: 2))
            }
        }
    }

    @Test(
        "while the service cannot, the same request is sent again under the same name",
        arguments: [408, 409, 429, 500, 503])
    func again(_ status: Int) async throws {
        try await TemporaryFolder.with { folder in
            try await StubServer.with({ request, count in count < 3 ? .problem(status, "not now") : .recorded(request) }
            ) {
                server in
                let work = try made(server, folder, patience: .seconds(60))
                let summary = try await work.run(try source(table, folder), after: .init(run: "1"))
                #expect(summary.recorded == 3)
                #expect(server.requests.count == 3)
                #expect(Set(server.requests.map(\.body)).count == 1)
                #expect(Set(server.requests.map { $0.headers["idempotency-key"] }).count == 1)
            }
        }
    }

    @Test(
        "when patience ends, what was under way stands in the journal, and a run that goes on sends it by its old name")
    func resumed() async throws {
        try await TemporaryFolder.with { folder in
            let isUp = Mutex(false)
            let reply: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, _ in
                isUp.withLock { $0 } ? .recorded(request) : .problem(503, "not now")
            }
            try await StubServer.with(reply) { server in
                let work = try made(server, folder)
                let failure = try await #require(throws: CommandFailure.self) {
                    _ = try await work.run(try source(table, folder), after: .init(run: "1"))
                }
                #expect(failure.description == "consentlink: not now")
                let journal = try #require(try work.journal.read())
                #expect((journal.rows, journal.isDone) == (0, false))
                #expect(journal.underWay?.end?.rows == 4)
                #expect(!folder.contains("e"))

                isUp.withLock { $0 = true }
                _ = try await made(server, folder).run(try source(table, folder), after: journal)
                #expect(Set(server.requests.map { $0.headers["idempotency-key"] }).count == 1)
                #expect(try work.journal.read()?.isDone == true)
            }
        }
    }

    @Test("a run that goes on passes what is done, and sends the rest")
    func rest() async throws {
        let rows = "recipient,state\n" + (1...2500).map { "p\($0),given\n" }.joined()
        try await TemporaryFolder.with { folder in
            let reply: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, count in
                count == 2 ? .problem(403, "the key was taken back") : .recorded(request)
            }
            try await StubServer.with(reply) { server in
                let work = try made(server, folder)
                await #expect(throws: CommandFailure.self) {
                    _ = try await work.run(try source(rows, folder), after: .init(run: "1"))
                }
                let journal = try #require(try work.journal.read())
                #expect((journal.rows, journal.recorded) == (1000, 1000))
                let next = try made(server, folder)
                let summary = try await next.run(try source(rows, folder), after: journal)
                #expect(summary.recorded == 2500)
                #expect((next.rowsDone.before, next.rowsDone.thisRun) == (1000, 1500))
                let sent = server.requests.map { $0.body.split(separator: "},").count }
                #expect(sent == [1000, 1000, 1000, 500])
                #expect(server.requests[1].body == server.requests[2].body)

                let changed = rows.replacing("p17,given", with: "p17,withdrawn")
                let failure = try await #require(throws: CommandFailure.self) {
                    _ = try await made(server, folder).run(try source(changed, folder), after: journal)
                }
                #expect(failure.description.contains("the first 1,000 rows are not those that"))
                #expect(server.requests.count == 4, "nothing of another file is sent")
            }
        }
    }

    @Test(
        "a refusal that names no row ends the import",
        arguments: [
            StubServer.Reply.problem(422, "no"), .problem(422, "no", errors: #"[{"pointer":"/x","detail":"y"}]"#),
            .problem(422, "no", errors: #"[{"pointer":"/99/state","detail":"y"}]"#), .problem(403, "no scope"),
            .problem(413, "too long"),
        ])
    func refused(_ reply: StubServer.Reply) async throws {
        try await TemporaryFolder.with { folder in
            try await StubServer.with({ _, _ in reply }) { server in
                await #expect(throws: CommandFailure.self) {
                    _ = try await made(server, folder, patience: .seconds(60)).run(
                        try source(table, folder), after: .init(run: "1"))
                }
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test("rows are sent in batches of a thousand or 4 MiB, and the same file gives the same batches")
    func batches() async throws {
        func sizes(_ text: String, endingAt end: Int? = nil) async throws -> [Int] {
            try await TemporaryFolder.with { folder in
                var rows = try source(text, folder)
                var sizes: [Int] = []
                while let batch = try await rows.next(endingAt: end) { sizes.append(batch.rows.count) }
                return sizes
            }
        }
        #expect(try await sizes("recipient,state\n") == [])
        let empty = await #expect(throws: CommandFailure.self) { _ = try await sizes("") }
        #expect(empty?.exitCode == ExitStatus.usage)
        #expect(empty?.description.hasSuffix("it is empty; its first line must name the columns") == true)
        #expect(try await sizes("recipient,state\n" + String(repeating: "a,given\n", count: 2001)) == [1000, 1000, 1])
        let long = String(repeating: "x", count: 60_000)
        let many = "recipient,state\n" + String(repeating: "\(long),given\n", count: 100)
        let found = try await sizes(many)
        #expect(found == [70, 30])
        #expect(try await sizes(many) == found)
        #expect(try await sizes(many, endingAt: 20) == [20, 70, 10], "and the next one begins behind it")
        #expect(try await sizes(many, endingAt: 80) == [70, 10, 20])
    }
}
