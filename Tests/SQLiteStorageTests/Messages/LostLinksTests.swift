import Identifiers
import Messages
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// Links that were added to a message and that its database does not have any more.
@Suite struct LostLinksTests {
    private func add(_ paths: [String], to id: MessageID, in ports: StorageUnderTest) async throws -> [UInt16?] {
        let links = try paths.map { path in
            MailLink(part: .html, target: try TargetURL(stored: "https://shop.example/\(path)"), label: nil)
        }
        return try #require(try await ports.messages.addLinks(links, to: id, in: ports.acme)).map(\.?.index.rawValue)
    }

    @Test("after a database was put back, the index of a link that it lost is given to no other link")
    func putBack() async throws {
        try await withSQLite { fixture in
            let id = try await fixture.ports.message()
            let kept = try await add(["kept"], to: id, in: fixture.ports)
            let lost = try await add(["lost/1", "lost/2"], to: id, in: fixture.ports)
            try await fixture.storage.database.write { writing in
                try writing.db.execute(sql: "DELETE FROM added_links WHERE url LIKE '%/lost/%'")
            }
            let restored = try fixture.reopened()
            defer { restored.close() }
            let ports = restored.ports
            // Its clock stands still: this message is later than the process before.
            let later = try await ports.messages.save(Message(name: "later"), in: ports.acme, at: .noon + 1_000).message
            // Random indexes: in one of some 20,000 runs they are among those that were lost.
            let new = try await add(["new/1", "new/2"], to: id, in: ports)
            #expect(Set(new).isDisjoint(with: lost + kept + [nil]))
            #expect(try await add(["new/2", "kept", "new/1"], to: id, in: ports) == [new[1], kept[0], new[0]])
            #expect(try await add(["a", "b"], to: later.id, in: ports) == [1, 2], "it has lost none")
            let known = try #require(try await ports.messages.message(id)?.addedLinks.map(\.index))
            #expect(known == known.sorted() && known.count == 3)
        }
    }

    @Test("behind the greatest index come the lowest free ones, until there is none")
    func wrapped() async throws {
        try await withSQLite { fixture in
            let id = try await fixture.ports.message()
            #expect(try await add(["a"], to: id, in: fixture.ports) == [1])
            let message = try #require(try await fixture.ports.messages.message(id))
            let (given, rest) = try await fixture.storage.database.write { writing in
                var free = try FreeLinkIndexes(of: message, after: LinkIndex(rawValue: 65_533), writing.db)
                let given = try (0..<4).map { _ in try free.next()?.rawValue }
                let rest = try (0..<65_532).map { _ in try free.next()?.rawValue }
                return (given, rest)
            }
            #expect(given == [65_534, 65_535, 2, 3])
            #expect(rest.prefix(65_530).elementsEqual((4...65_533).map { UInt16($0) as UInt16? }))
            #expect(rest.suffix(2) == [nil, nil])
        }
    }

    @Test("a message that another process has filled gets no more links, and those that it has are found")
    func full() async throws {
        try await withSQLite { fixture in
            let id = try await fixture.ports.message()
            _ = try await add((0..<65_535).map { "\($0)" }, to: id, in: fixture.ports)
            let restored = try fixture.reopened()
            defer { restored.close() }
            for _ in 0..<2 {
                #expect(try await add(["more", "7", "other"], to: id, in: restored.ports) == [nil, 8, nil])
            }
        }
    }
}
