import StubService
import TestSupport
import Testing

@testable import consentlink

/// Going on with journals of version 2, whose digests have of a row that was refused only the reason.
@Suite struct EarlierImportTests {
    private static let time = "2026-11-01T09:00:00Z"
    private static let rows = "p1,given,\(time)\np2\np3,given,\(time)\n"
    /// Its digest, as version 2 made it.
    private static let digest = "6c6c5ff6f63286b4e3700d4fc63b84c35c441f924a3adfe4810103ef8c6c23d6"

    private func run(
        _ text: String, in folder: TemporaryFolder, at server: StubServer
    ) async throws -> ConsentImport.Summary {
        let work = ConsentImport(
            sender: ConsentSender(
                client: try APIClient(base: server.base, key: "k"), organization: "acme", patience: .zero),
            journal: ImportJournal(path: folder.path(of: "j")), errorPath: folder.path(of: "e"), rowsDone: RowCount())
        let path = try folder.write("recipient,state,occurredAt\n" + text, to: "rows")
        return try await work.run(
            ImportSource(try InputFile(path: path), .csv), after: try #require(try work.journal.read()))
    }

    private func with(
        _ journal: String, _ body: (TemporaryFolder, StubServer) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(#"{"version":2,"run":"1f",\#(journal)}"#, to: "j")
            try await StubServer.with({ request, _ in .recorded(request) }) { try await body(folder, $0) }
        }
    }

    private static let whole = """
        "rows":3,"digest":"\(digest)","recorded":2,"refused":1,"errorBytes":0,"underWay":null,"whole":{"rows":3,"refused":1}
        """
    private static let sent = """
        "rows":0,"digest":"","recorded":0,"refused":0,"errorBytes":0,"whole":null,\
        "underWay":{"sentAt":"2026-11-01T10:00:00Z","rows":3,"digest":"\(digest)","refused":[]}
        """

    @Test("rows that were added are recorded, and from then on a change of a row that was refused is noticed")
    func added() async throws {
        try await with(Self.whole) { folder, server in
            let added = Self.rows + "p4,given,\(Self.time)\n"
            let summary = try await run(added, in: folder, at: server)
            #expect((summary.recorded, summary.growth?.added) == (3, 1))
            #expect(server.requests.map { $0.body.contains("p4") && !$0.body.contains("p1") } == [true])
            #expect(try folder.text(of: "j").hasPrefix(#"{"version":3,"run":"1f","organization":null,"#))
            await #expect(throws: CommandFailure.self) {
                _ = try await run(added.replacing("p2\n", with: "p2,\"\n"), in: folder, at: server)
            }
            #expect(try await run(added, in: folder, at: server).recorded == 3)
            #expect(server.requests.count == 1)
        }
    }

    @Test("rows under way are sent again, and those that were added behind them")
    func underWay() async throws {
        try await with(Self.sent) { folder, server in
            let summary = try await run(Self.rows + "p4,given,\(Self.time)\n", in: folder, at: server)
            #expect((summary.recorded, summary.refused) == (3, 1))
            #expect(server.requests.map { $0.body.split(separator: "},").count } == [2, 1])
        }
    }

    @Test("rows that were changed are noticed", arguments: [whole, sent])
    func changed(_ journal: String) async throws {
        try await with(journal) { folder, server in
            await #expect(throws: CommandFailure.self) {
                _ = try await run(Self.rows.replacing("p3", with: "p5"), in: folder, at: server)
            }
            #expect(server.requests.isEmpty)
        }
    }
}
