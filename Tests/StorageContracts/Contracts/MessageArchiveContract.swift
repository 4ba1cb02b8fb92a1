import Identifiers
import Messages
import TestSupport
import Testing

/// What every `MessageArchive` promises.
package enum MessageArchiveContract {
    package static let promises: [Promise] = [
        Promise("a list shows all of a message but what it says, and of its own organization alone") { storage in
            var content = Message(name: "spring \"sale\" 🎁")
            content.title = "T"
            content.tags = try [MessageTag("a"), MessageTag("b c")]
            content.purposes = try MessagePurposes(both: Purpose("offers"))
            content.expiresAt = .noon + 9_000
            let plain = try await storage.message("plain")
            let saved = try await storage.messages.save(content, in: storage.acme, at: .noon + 1).message
            _ = try await storage.message("foreign", in: storage.globex)
            let list = try await storage.list(MessageQuery())
            #expect(
                list == [
                    MessageSummary(
                        id: saved.id, name: "spring \"sale\" 🎁", tags: content.tags, purposes: content.purposes,
                        createdAt: .noon + 1, expiresAt: .noon + 9_000, isDisabled: false),
                    MessageSummary(
                        id: plain, name: "plain", tags: [], purposes: .tracking, createdAt: .noon, expiresAt: nil,
                        isDisabled: false),
                ])
            _ = try await storage.messages.setDisabled(true, message: plain, in: storage.acme)
            #expect(try await storage.list(MessageQuery())?.map(\.isDisabled) == [false, true])
            let nobody = try OrganizationID("nobody")
            let none = try await storage.messages.messages(matching: MessageQuery(), limit: 9, in: nobody)
            #expect(none?.isEmpty == true)
        },
        Promise("any combination of filters finds what going through all messages finds, newest first") { storage in
            var random = SeededGenerator(seed: 17)
            let tags = try ["a", "b", "B", "é", "e\u{301}"].map { try MessageTag($0) }
            let names = ["spring", "spring-sale", "Spring", "s", "é", "e\u{301}", "z\u{10FFFF}"]
            for number in 0..<120 {
                var content = Message(name: "\(names.randomElement(using: &random) ?? "")\(number % 7)")
                content.title = "\(number)"
                content.tags = tags.filter { _ in Bool.random(using: &random) }.sorted()
                // A request may have been asked for before one that is stored already.
                let late = Int64.random(in: 0..<50, using: &random)
                _ = try await storage.messages.save(content, in: storage.acme, at: .noon + (Int64(number) * 20 - late))
            }
            let all = try #require(try await storage.list(MessageQuery()))
            #expect(all.count == 120)
            #expect(all.map(\.id) == all.map(\.id).sorted(by: >))
            func maybe<Value>(_ values: [Value]) -> Value? {
                Bool.random(using: &random) ? values.randomElement(using: &random) : nil
            }
            let prefixes = try (names + ["sp", "e", "S", "z\u{10FFFF}1", "nothing"]).map { try MessageNamePrefix($0) }
            for _ in 0..<400 {
                let query = MessageQuery(
                    name: maybe(prefixes), tag: maybe(tags), from: maybe(all.map(\.createdAt)),
                    to: maybe(all.map(\.createdAt)), after: maybe(all.map(\.id)))
                let limit = Int.random(in: 0...50, using: &random)
                let found = try await storage.messages.messages(matching: query, limit: limit, in: storage.acme)
                #expect(found == Array(all.filter { $0.fits(query) }.prefix(limit)), "\(query)")
            }
        },
        Promise("a place behind a message of another organization, or behind none, is no place") { storage in
            let foreign = try await storage.message(in: storage.globex)
            _ = try await storage.message()
            for after in [foreign, MessageID(TimeOrderedNumber(known: 7))] {
                #expect(try await storage.list(MessageQuery(after: after)) == nil)
            }
        },
        Promise("content is found under the id that it is stored with, in its own organization") { storage in
            var content = Message(name: "spring")
            #expect(try await storage.messages.id(of: content, in: storage.acme) == nil)
            let id = try await storage.message("spring")
            #expect(try await storage.messages.id(of: content, in: storage.acme) == id)
            #expect(try await storage.messages.id(of: content, in: storage.globex) == nil)
            content.tags = [try MessageTag("new")]
            #expect(try await storage.messages.id(of: content, in: storage.acme) == nil)
        },
    ]
}

extension StorageUnderTest {
    fileprivate func list(_ query: MessageQuery) async throws -> [MessageSummary]? {
        try await messages.messages(matching: query, limit: 1000, in: acme)
    }
}

extension MessageSummary {
    fileprivate func fits(_ query: MessageQuery) -> Bool {
        query.name.map { name.utf8.starts(with: $0.bytes) } ?? true && query.tag.map(tags.contains) ?? true
            && query.from.map { $0 <= createdAt } ?? true && query.to.map { $0 > createdAt } ?? true
            && query.after.map { $0 > id } ?? true
    }
}
