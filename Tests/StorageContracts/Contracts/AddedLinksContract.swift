import Identifiers
import Messages
import TestSupport
import Testing

/// What every `MessageStore` promises of links that are added to a message.
package enum AddedLinksContract {
    package static let promises: [Promise] = [
        Promise("a new target gets the next index, behind those of the content, and keeps it") { storage in
            let id = try await storage.save(sample())
            let first = try await storage.add(["new/1", "new/2"], to: id)
            #expect(first.map(\.index.rawValue) == [5, 6])
            #expect(first.map(\.isTracked) == [true, true])
            #expect(first.map(\.target.text) == ["https://shop.example/new/1", "https://shop.example/new/2"])
            let again = try await storage.add(["new/3", "new/2", "new/1", "new/3"], to: id)
            #expect(again.map(\.index.rawValue) == [7, 6, 5, 7])
        },
        Promise("a target of the content uses the index that it has there, the lowest of several") { storage in
            let id = try await storage.save(sample())
            let links = try await storage.add(["own", "button", "mail", "own"], to: id)
            #expect(links.map(\.index.rawValue) == [1, 2, 3, 1])
            #expect(try await storage.messages.message(id)?.addedLinks == [])
        },
        Promise("what no reader is led through the redirect for is no link to use") { storage in
            var content = Message(name: "deep")
            content.link = Message.Link(target: try target("app"), isDeepLink: true)
            let id = try await storage.save(content)
            #expect(try await storage.add(["app"], to: id).map(\.index.rawValue) == [2])
        },
        Promise("they are read with the message, in the order of their indexes, with label and place") { storage in
            let content = try sample()
            let id = try await storage.save(content)
            let labelled = MailLink(part: .text, target: try target("z"), label: "jose\u{301}")
            let links = try #require(try await storage.messages.addLinks([labelled], to: id, in: storage.acme))
                .compactMap(\.self)
            let more = try await storage.add(["y", "x"], to: id)
            let found = try #require(try await storage.messages.message(id))
            #expect(found.addedLinks == links + more)
            #expect(found.addedLinks.map(\.label) == ["jose\u{301}", nil, nil])
            #expect(found.addedLinks.map(\.location) == ["text", "html", "html"])
            #expect(found.links == content.links + links + more)
            #expect(try await storage.messages.message(id, in: storage.acme) == found)
            #expect(try await storage.messages.setDisabled(true, message: id, in: storage.acme)?.links == found.links)
        },
        Promise("a message with more links is the same message") { storage in
            let id = try await storage.save(sample())
            let links = try await storage.add(["new"], to: id)
            let (again, isNew) = try await storage.messages.save(sample(), in: storage.acme, at: .noon + 9)
            #expect(!isNew)
            #expect(again.id == id)
            #expect(again.addedLinks == [], "a caller that asks for it reads its content alone")
            #expect(try await storage.messages.message(id)?.addedLinks == links)
        },
        Promise("it can be read without them, and they can be measured without being read") { storage in
            let id = try await storage.save(sample())
            let messages = storage.messages
            #expect(try await messages.sizeOfAddedLinks(of: id, in: storage.acme, upTo: 1 << 20) == 0)
            _ = try await storage.add((0..<200).map { "\($0)" }, to: id)
            let alone = try await messages.messageWithoutAddedLinks(id, in: storage.acme)
            #expect(try alone?.content == sample())
            #expect(alone?.addedLinks == [])
            #expect(try await messages.messageWithoutAddedLinks(id, in: storage.globex) == nil)
            let size = try await messages.sizeOfAddedLinks(of: id, in: storage.acme, upTo: 1 << 20)
            #expect((200 * 100...200 * 400).contains(size))
            let found = try await messages.sizeOfAddedLinks(of: id, in: storage.acme, upTo: 1_000)
            #expect((1_001..<size).contains(found))
        },
        Promise("another organization is told no size of a message and of its added links") { storage in
            let id = try await storage.save(sample())
            _ = try await storage.add((0..<200).map { "\($0)" }, to: id)
            #expect(try await storage.messages.size(of: id, in: storage.acme) ?? 0 > 0)
            for organization in [storage.globex, try OrganizationID("nobody")] {
                #expect(try await storage.messages.size(of: id, in: organization) == nil)
                #expect(try await storage.messages.sizeOfAddedLinks(of: id, in: organization, upTo: 1 << 20) == 0)
            }
        },
        Promise("one target gets one index, however many add it at once") { storage in
            let id = try await storage.save(sample())
            let indexes = try await withThrowingTaskGroup(of: [UInt16].self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await storage.add(["shared", "own/\(number)"], to: id).map(\.index.rawValue)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(indexes.map { $0[0] }).count == 1)
            // A write that was tried again may leave a gap.
            #expect(Set(indexes.joined()).count == 21)
            #expect(Set(indexes.joined()).isSubset(of: 5...1_000))
        },
        Promise("who follows the changes is told of every link that is added, by when it is") { storage in
            let id = try await storage.save(sample())
            for words in [["a", "b"], ["b", "c"]] {
                let before = try await storage.messages.message(id)?.addedLinks ?? []
                let added = Set(try await storage.add(words, to: id)).subtracting(before)
                let told = try #require(storage.observer.messages[id])
                #expect(added.isSubset(of: told.addedLinks))
            }
        },
        Promise("links of a message are added by its own organization alone") { storage in
            let id = try await storage.save(sample())
            let link = MailLink(part: .html, target: try target("new"), label: nil)
            #expect(try await storage.messages.addLinks([link], to: id, in: storage.globex) == nil)
            let unknown = MessageID(TimeOrderedNumber(known: 7))
            #expect(try await storage.messages.addLinks([link], to: unknown, in: storage.acme) == nil)
            #expect(try await storage.messages.message(id)?.addedLinks == [])
            let other = try await storage.messages.save(sample(), in: storage.globex, at: .noon).message.id
            let there = try await storage.messages.addLinks([link], to: other, in: storage.globex)
            #expect(there?.map(\.?.index.rawValue) == [5])
            #expect(try await storage.add(["first", "new"], to: id).map(\.index.rawValue) == [5, 6])
        },
        Promise("a message has 65,535 links at most; beyond them a new target gets none, and a known one keeps its own")
        { storage in
            let id = try await storage.save(sample())
            let most = try await storage.add((5..<65_535).map { "\($0)" }, to: id)
            #expect(most.last?.index.rawValue == 65_534)
            let last = try await storage.addAsManyAsFit(["c", "a", "5", "b", "c"], to: id)
            #expect(last.map(\.?.index.rawValue) == [65_535, nil, 5, nil, 65_535])
            let more = try await storage.addAsManyAsFit(["a", "c", "own"], to: id)
            #expect(more.map(\.?.index.rawValue) == [nil, 65_535, 1])
            #expect(try await storage.messages.message(id)?.links.last?.target == target("c"))
        },
    ]

    /// A message with a link, a button and two links in its mail, under the indexes 1 to 4.
    private static func sample() throws -> Message {
        var content = Message(name: "mail")
        content.link = Message.Link(target: try target("own"), isDeepLink: false)
        content.actions = [
            .init(id: "a", title: "A", link: Message.Link(target: try target("button"), isDeepLink: false))
        ]
        content.mailLinks = [
            MailLink(part: .html, target: try target("mail"), label: nil),
            MailLink(part: .text, target: try target("mail"), label: nil),
        ]
        return content
    }
}

private func target(_ path: String) throws -> TargetURL { try TargetURL(stored: "https://shop.example/\(path)") }

extension StorageUnderTest {
    fileprivate func save(_ content: Message) async throws -> MessageID {
        try await messages.save(content, in: acme, at: .noon).message.id
    }

    fileprivate func add(_ paths: [String], to id: MessageID) async throws -> [MessageLink] {
        try await addAsManyAsFit(paths, to: id).map { try #require($0) }
    }

    fileprivate func addAsManyAsFit(_ paths: [String], to id: MessageID) async throws -> [MessageLink?] {
        let links = try paths.map { MailLink(part: .html, target: try target($0), label: nil) }
        return try #require(try await messages.addLinks(links, to: id, in: acme))
    }
}
