import HTTPTypes
import JSON
import Ledger
import TestSupport
import Testing

@testable import HTTPAPI

/// Exports for auditors, and the tiles of the tree that they are proved by.
@Suite struct AuditRoutesTests {
    private static let path = "/v1/orgs/acme/audits"
    private static let ledger = "/v1/orgs/acme/ledger"

    /// Gives `body` a listener whose ledger has a consent record and two decisions.
    private func with(_ body: (PrivateListenerFixture) async throws -> Void) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            try await listener.consent("ana", "given")
            _ = try await listener.compose(["ana", "bo"])
            try await body(listener)
        }
    }

    @Test("an export is an archive that ends properly, and is logged by the names of its filters alone")
    func export() async throws {
        try await with { listener in
            let key = try await listener.key("read")
            let all = try await listener.post(Self.path, "{}", key: key)
            #expect(all.status == 200 && all.headers[.contentType] == "application/x-tar")
            #expect(all.headers[.cacheControl] == "no-store")
            let archive = try await listener.bytes(.post, Self.path, "{}").bytes
            #expect(
                archive.count % 512 == 0 && archive.suffix(1024).allSatisfy { $0 == 0 }, "blocks of tar, and its end")
            #expect(all.body.contains("bo\""))
            let about = try await listener.post(
                Self.path, #"{"recipient":"ana","from":"2026-11-22T00:00:00Z"}"#, key: key)
            #expect(about.status == 200 && about.body.contains("ana\"") && !about.body.contains("\"bo\""))
            let lines = listener.log.all.filter { $0.contains("act=audit.export") }
            #expect(lines.map { $0.contains("filters=recipient,from") } == [false, false, true])
            #expect(lines.allSatisfy { $0.contains("status=200") && !$0.contains("ana") })
        }
    }

    @Test("over HTTP/1.0, where a part looks like the whole, it is refused")
    func oldVersion() async throws {
        try await with { listener in
            let refused = try await listener.post(Self.path, "{}", headers: [.olderVersion: "1.0"])
            #expect(refused.status == 426 && refused.headers[.upgrade] == "HTTP/1.1")
            #expect(refused.headers[.contentType] == "application/problem+json")
        }
    }

    @Test("an auditor's checkpoint is continued when it is of this ledger, and refused by its pointer otherwise")
    func since() async throws {
        try await with { listener in
            let earlier = try await listener.get("\(Self.ledger)/checkpoint").body
            try await listener.consent("cy", "given")
            func export(_ since: String) async throws -> ListenerAnswer {
                try await listener.post(Self.path, #"{"since":\#(JSONWriter.text(since))}"#)
            }
            #expect(try await export(earlier).status == 200)
            try await listener.organization("other")
            let foreign = try await listener.get("/v1/orgs/other/ledger/checkpoint").body
            let changed = earlier.replacing("links.example/acme\n", with: "links.example/acme \n")
            for text in ["", "nonsense", foreign, changed, String(earlier.dropLast(3)), earlier + "x"] {
                let refused = try await export(text)
                #expect(refused.status == 422 && refused.pointers == ["/since"], "\(text)")
                #expect(refused.headers[.contentType] == "application/problem+json")
            }
        }
    }

    @Test(
        "what is asked for otherwise is named by its pointer",
        arguments: [
            (#"{"since":1}"#, "/since"), (#"{"from":"today"}"#, "/from"), (#"{"message":"x"}"#, "/message"),
            (#"{"recipient":""}"#, "/recipient"), (#"{"until":"x"}"#, "/until"),
        ])
    func refused(_ body: String, _ pointer: String) async throws {
        try await with { listener in
            let answer = try await listener.post(Self.path, body)
            #expect(answer.status == 422 && answer.pointers == [pointer])
        }
    }

    @Test("tiles of the signed tree lead to its root, and may be kept for ever by the one who asked")
    func tiles() async throws {
        try await with { listener in
            let size = Int(try await listener.get(Self.ledger)["size"]?.text ?? "") ?? 0
            #expect(size > 2)
            for path in ["tile/0/000.p/\(size)", "tile/entries/000.p/\(size)"] {
                let tile = try await listener.bytes(.get, "\(Self.ledger)/\(path)")
                #expect(tile.status == 200, "\(path)")
                #expect(tile.headers[.contentType] == "application/octet-stream")
                #expect(tile.headers[.cacheControl] == "private, max-age=31536000, immutable")
                if path.hasPrefix("tile/0") {
                    var hasher = TreeHasher()
                    let hashes = stride(from: 0, to: tile.bytes.count, by: 32).compactMap {
                        TreeHash(Array(tile.bytes[$0..<min($0 + 32, tile.bytes.count)]).span)
                    }
                    let root = hasher.root(of: hashes[...])
                    #expect(try await listener.get(Self.ledger)["root"]?.text == root.text)
                }
            }
        }
    }

    @Test(
        "a tile has one path, and one that the ledger does not have is not found",
        arguments: [
            "0/000", "0/001", "1/000", "64/000", "-1/000", "0/0", "0/0000", "0/x000/000", "0/000.p/0", "0/000.p/256",
            "0/000.p/999", "0/000.p/01", "entries/000", "entries/x001/000", "entries/999", "data/000.p/1",
            "0/%30%30%30.p/1",
            "entries/x999/x999/x999/x999/999",
        ])
    func missing(_ tile: String) async throws {
        try await with { listener in
            let answer = try await listener.get("\(Self.ledger)/tile/\(tile)")
            #expect(answer.status == 404)
        }
    }
}
