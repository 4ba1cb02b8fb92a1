import Identifiers
import Messages
import Reports
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// Messages that were made by earlier versions.
@Suite struct MessageUpgradeTests {
    @Test("messages of a file without lists are listed by their names, whatever their content is")
    func messageListsBegin() async throws {
        try await withSQLite { fixture in
            let names = ["spring", "\"quoted\" \\ back", "é", "e\u{301}", "🎁", "torn"]
            var ids: [MessageID] = []
            for name in names { ids.append(try await fixture.ports.message(name)) }
            var tagged = Message(name: "tagged")
            tagged.tags = [try MessageTag("t")]
            let last = try await fixture.storage.stores.messages.save(tagged, in: fixture.ports.acme, at: .noon).message
                .id
            try await fixture.makeOld(
                before: Schema.messageLists,
                and: """
                    UPDATE messages SET content = x'7B' WHERE content = x'7B226E616D65223A22746F726E227D';
                    DELETE FROM messages WHERE id = \(Int64(last.rawValue));
                    """)
            let reopened = try SQLiteFixture(fixture.folder)
            let (messages, acme) = (reopened.storage.stores.messages, reopened.ports.acme)
            let list = try await messages.messages(matching: MessageQuery(), limit: 9, in: acme) ?? []
            #expect(list.reversed().map(\.id) == ids)
            #expect(list.reversed().map { Array($0.name.utf8) } == (names.dropLast() + [""]).map { Array($0.utf8) })
            #expect(list.allSatisfy { $0.tags.isEmpty && $0.createdAt == .noon && $0.purposes == .tracking })
            for (name, id) in zip(names.prefix(5), ids) {
                #expect(try await messages.id(of: Message(name: name), in: acme) == id, "the digest is what it was")
                let query = MessageQuery(name: try MessageNamePrefix(name))
                #expect(try await messages.messages(matching: query, limit: 9, in: acme)?.map(\.id) == [id])
            }
            try reopened.storage.close()
        }
    }

    @Test("of messages made before it is known whether their mails have a picture, whatever their content is")
    func openTrackingBegins() async throws {
        try await withSQLite { fixture in
            var (mail, quoting) = (Message(name: "mail"), Message(name: "quoting"))
            mail.openTracking = true
            quoting.body = #""openTracking":true"#
            var ids: [MessageID] = []
            for message in [mail, quoting, Message(name: "torn")] {
                let saved = try await fixture.storage.stores.messages.save(message, in: fixture.ports.acme, at: .noon)
                ids.append(saved.message.id)
            }
            let torn = #"{"openTracking":true"#
            try await fixture.makeOld(
                before: Schema.openTracking,
                and: "UPDATE messages SET content = CAST('\(torn)' AS BLOB) WHERE id = \(Int64(ids[2].rawValue));")
            let reopened = try SQLiteFixture(fixture.folder)
            var found: [Bool] = []
            for id in ids { found.append(try await reopened.ports.report(of: id).tracksOpens) }
            #expect(found == [true, false, false])
            try reopened.storage.close()
        }
    }
}
