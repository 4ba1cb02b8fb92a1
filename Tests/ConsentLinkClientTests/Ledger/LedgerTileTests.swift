import StubService
import Testing

@testable import ConsentLinkClient

@Suite struct LedgerTileTests {
    @Test(
        "a tile has the path of tlog-tiles",
        arguments: [
            (LedgerTile.Kind.hashes(level: 0), 0, 256, "tile/0/000"), (.hashes(level: 63), 67, 1, "tile/63/067.p/1"),
            (.hashes(level: 1), 1000, 255, "tile/1/x001/000.p/255"),
            (.entries, 1_234_067, 256, "tile/entries/x001/x234/067"),
        ])
    func path(_ kind: LedgerTile.Kind, _ index: Int, _ width: Int, _ path: String) throws {
        #expect(try LedgerTile(kind, index: index, width: width).description == path)
    }

    @Test(
        "what no tree has is asked for nowhere",
        arguments: [(-1, 0, 1), (64, 0, 1), (0, -1, 1), (0, 0, 0), (0, 0, 257)])
    func noTile(_ level: Int, _ index: Int, _ width: Int) {
        #expect(throws: ConsentLinkError.self) { try LedgerTile(.hashes(level: level), index: index, width: width) }
    }

    @Test("a tile of another width is none", arguments: [0, 31, 32, 63, 65, 96])
    func wrongTile(_ length: Int) throws {
        let tile = try LedgerTile(.hashes(level: 0), index: 0, width: 2)
        #expect(throws: ConsentLinkError.self) { try tile.hashes(in: [UInt8](repeating: 0, count: length)) }
    }

    @Test("entries stand behind their lengths")
    func entries() throws {
        let long = [UInt8](repeating: 7, count: 0x0102)
        let bundle = try LedgerTile(.entries, index: 0, width: 3)
        #expect(try bundle.entries(in: [0, 1, 9, 0, 0, 1, 2] + long) == [[9], [], long])
    }

    @Test(
        "a bundle that is cut, has too few, too many, or more behind it is none",
        arguments: [[], [0, 1, 9], [0, 1, 9, 0], [0, 1, 9, 0, 2, 8], [0, 1, 9, 0, 1, 8, 0, 0], [0xFF, 0xFF]]
            as [[UInt8]])
    func wrongBundle(_ bytes: [UInt8]) throws {
        let bundle = try LedgerTile(.entries, index: 0, width: 2)
        #expect(throws: ConsentLinkError.self) { try bundle.entries(in: bytes) }
    }

    @Test(
        "the entries of a ledger are read once each, from the first that is wanted to the last",
        arguments: [(0, 600), (0, 512), (255, 257), (256, 256), (599, 600), (300, 200)])
    func all(_ first: Int, _ size: Int) async throws {
        let answer: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, _ in
            // Answers with the index of each entry in three digits.
            guard let found = request.path.firstMatch(of: /entries\/(\d{3})(?:\.p\/(\d+))?$/), let tile = Int(found.1)
            else { return .problem(404, "x") }
            let width = found.2.flatMap { Int($0) } ?? 256
            let body = (0..<width).map { "\0\u{3}\(tile * 256 + $0 + 100)" }.joined()
            return .init(body: body)
        }
        try await StubServer.with(answer) { server in
            var entries: [String] = []
            for try await entry in try OrganizationAPI.quick(server.base).ledgerEntries(from: first, upTo: size) {
                entries.append(String(decoding: entry, as: UTF8.self))
            }
            #expect(entries == (first..<max(first, size)).map { "\($0 + 100)" })
        }
    }
}
