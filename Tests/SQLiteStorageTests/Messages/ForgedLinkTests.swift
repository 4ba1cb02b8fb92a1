import GRDB
import Identifiers
import Messages
import SQL
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// Added links whose index was changed to one that the content of their message has.
@Suite struct ForgedLinkTests {
    private let target: TargetURL
    private let links: [MailLink]

    init() throws {
        target = try TargetURL(stored: "https://shop.example/added")
        links = [MailLink(part: .html, target: target, label: nil)]
    }

    /// A message with its own link, which has the index 1, and with one added link, whose index becomes `index`.
    private func forged(_ index: Int, _ fixture: SQLiteFixture) async throws -> (SQLiteFixture, MessageID) {
        let ports = fixture.ports
        var content = Message(name: "spring")
        content.link = Message.Link(target: try TargetURL(stored: "https://shop.example/own"), isDeepLink: false)
        let id = try await ports.messages.save(content, in: ports.acme, at: .noon).message.id
        _ = try await ports.messages.addLinks(links, to: id, in: ports.acme)
        try await fixture.storage.database.write { writing in
            try writing.db.execute(sql: "UPDATE added_links SET link = ?", arguments: [index])
        }
        return (try fixture.reopened(), id)
    }

    @Test("a message with such a link cannot be read, and keeps no other one out of memory", arguments: [0, 1])
    func unreadable(_ index: Int) async throws {
        try await withSQLite { fixture in
            let other = try await fixture.ports.message("other")
            let (reopened, id) = try await forged(index, fixture)
            defer { reopened.close() }
            let ports = reopened.ports
            #expect(try await ports.rules.messages(after: nil, limit: 9).messages.map(\.id) == [other])
            await #expect(throws: UnreadableMessage.self) { _ = try await ports.messages.message(id) }
            await #expect(throws: UnreadableMessage.self) {
                _ = try await ports.messages.addLinks(links, to: id, in: ports.acme)
            }
            await #expect(throws: UnreadableMessage.self) {
                _ = try await ports.messages.setDisabled(true, message: id, in: ports.acme)
            }
        }
    }

    @Test("the link is not given to a rewritten text", arguments: [0, 1])
    func found(_ index: Int) async throws {
        try await withSQLite { fixture in
            let (reopened, id) = try await forged(index, fixture)
            defer { reopened.close() }
            let ports = reopened.ports
            let message = try #require(try await ports.messages.messageWithoutAddedLinks(id, in: ports.acme))
            await #expect(throws: UnreadableMessageRow.self) {
                _ = try await reopened.storage.database.read { [target] db in
                    try MessageRow.addedLink(to: target, of: message, db)
                }
            }
        }
    }
}
