import Identifiers
import Ledger
import Messages
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// Which connections a message is read on.
@Suite struct LargeMessageTests {
    private static func message(_ name: String, textLength: Int) -> Message {
        var message = Message(name: name)
        message.text = String(repeating: "x", count: textLength)
        return message
    }

    /// Calls `body` with a store, what it notes, and the reads that its organization's long ones are.
    private func withStore(
        _ body: (StorageUnderTest, SQLMessageStore, NotingDatabase, ReadingLength) async throws -> Void
    ) async throws {
        try await withSQLite { fixture in
            let noting = NotingDatabase(fixture.storage.database)
            let store = SQLMessageStore(GuardedDatabase(database: noting, ledgers: CommittedLedgers()))
            try await body(fixture.ports, store, noting, .long(owner: fixture.ports.acme.hashValue))
        }
    }

    @Test("a small message is one short read")
    func small() async throws {
        try await withStore { ports, store, noting, _ in
            let content = Self.message("small", textLength: 60_000)
            let made = try await ports.messages.save(content, in: ports.acme, at: .noon).message
            #expect(try await store.message(made.id) == made)
            #expect(try await store.message(made.id, in: ports.acme) == made)
            #expect(try await store.messageWithoutAddedLinks(made.id, in: ports.acme) == made)
            #expect(noting.take() == [.short, .short, .short])
        }
    }

    @Test("a large message takes a long read of its organization, and is not read for another organization")
    func large() async throws {
        try await withStore { ports, store, noting, long in
            let content = Self.message("large", textLength: 70_000)
            let made = try await ports.messages.save(content, in: ports.acme, at: .noon).message
            #expect(try await store.message(made.id) == made)
            #expect(try await store.message(made.id, in: ports.acme) == made)
            #expect(try await store.messageWithoutAddedLinks(made.id, in: ports.acme) == made)
            #expect(noting.take() == [.short, long, .short, long, .short, long])
            #expect(try await store.message(made.id, in: ports.globex) == nil)
            #expect(try await store.messageWithoutAddedLinks(made.id, in: ports.globex) == nil)
            #expect(noting.take() == [.short, .short])
            let again = try await store.save(content, in: ports.acme, at: .noon, fingerprint: nil)
            #expect(again.message == made && !again.isNew)
            #expect(noting.take() == [long])
        }
    }

    @Test("a message to which many links were added is large where they are wanted")
    func manyLinks() async throws {
        try await withStore { ports, store, noting, long in
            let id = try await ports.message()
            let links = try (0...MessageLook.fewLinks).map { number in
                MailLink(part: .html, target: try TargetURL(stored: "https://shop.example/\(number)"), label: nil)
            }
            for end in [MessageLook.fewLinks, links.count] {
                _ = try await ports.messages.addLinks(Array(links[..<end]), to: id, in: ports.acme)
                #expect(try await store.message(id, in: ports.acme)?.addedLinks.count == end)
                #expect(noting.take() == (end < links.count ? [.short] : [.short, long]))
            }
            #expect(try await store.messageWithoutAddedLinks(id, in: ports.acme)?.addedLinks == [])
            #expect(noting.take() == [.short])
        }
    }

    @Test("switching a message off parses nothing inside the write")
    func disabling() async throws {
        try await withStore { ports, store, noting, long in
            let content = Self.message("large", textLength: 70_000)
            let made = try await ports.messages.save(content, in: ports.acme, at: .noon).message
            let target = try TargetURL(stored: "https://shop.example/new")
            let links = [MailLink(part: .html, target: target, label: nil)]
            _ = try await ports.messages.addLinks(links, to: made.id, in: ports.acme)
            let off = try await store.setDisabled(true, message: made.id, in: ports.acme)
            #expect(off?.isDisabled == true && off?.content == content && off?.addedLinks.count == 1)
            #expect(noting.take() == [.short, long])
            #expect(try await store.message(made.id) == off)
        }
    }
}
