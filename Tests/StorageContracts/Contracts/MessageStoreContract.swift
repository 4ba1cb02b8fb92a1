import Identifiers
import Messages
import TestSupport
import Testing

/// What every `MessageStore` promises.
package enum MessageStoreContract {
    package static let promises: [Promise] = [
        Promise("a message is read back as it was given") { storage in
            let content = try sample()
            let (saved, isNew) = try await storage.messages.save(content, in: storage.acme, at: .noon)
            #expect(isNew)
            #expect(saved.content == content)
            #expect(saved.organization == storage.acme)
            #expect(saved.createdAt == .noon)
            #expect(!saved.isDisabled)
            #expect(try await storage.messages.message(saved.id, in: storage.acme) == saved)
            #expect(try await storage.messages.message(saved.id) == saved)
            #expect(try await storage.messages.message(saved.id, in: storage.globex) == nil)
        },
        Promise("the same message again is the same message, however many save it at once") { storage in
            let content = try sample()
            let ids = try await withThrowingTaskGroup(of: (MessageID, Bool).self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let saved = try await storage.messages.save(content, in: storage.acme, at: .noon)
                        return (saved.message.id, saved.isNew)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(ids.map(\.0)).count == 1)
            #expect(ids.filter(\.1).count == 1)
        },
        Promise("however often a message is switched off and on at once, its observer ends as the store does") {
            storage in
            let id = try await storage.message()
            #expect(storage.observer.messages[id]?.isDisabled == false)
            for _ in 0..<200 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for isDisabled in [true, false] {
                        group.addTask {
                            _ = try await storage.messages.setDisabled(isDisabled, message: id, in: storage.acme)
                        }
                    }
                    try await group.waitForAll()
                }
                let stored = try #require(try await storage.messages.message(id))
                #expect(storage.observer.messages[id]?.isDisabled == stored.isDisabled)
            }
        },
        Promise("a message that has ended is not made, and found where it was made before") { storage in
            let end = Timestamp.noon + 10
            var ending = Message(name: "sale")
            ending.expiresAt = end
            let content = ending
            await #expect(throws: MessageHasEnded.self) {
                _ = try await storage.messages.save(content, in: storage.acme, at: end, fingerprint: nil)
            }
            let made = try await storage.messages.save(content, in: storage.acme, at: end + -1, fingerprint: nil)
            #expect(made.isNew)
            let again = try await storage.messages.save(content, in: storage.acme, at: end + 1, fingerprint: nil)
            #expect(!again.isNew && again.message.id == made.message.id)
        },
        Promise("another name, another content or another organization makes another message") { storage in
            var (other, renamed) = (try sample(), try sample())
            other.body = "different"
            renamed.name = "renamed"
            var ids = [try await storage.messages.save(sample(), in: storage.globex, at: .noon).message.id]
            for content in [try sample(), other, renamed] {
                let saved = try await storage.messages.save(content, in: storage.acme, at: .noon)
                #expect(saved.isNew)
                ids.append(saved.message.id)
            }
            #expect(Set(ids).count == 4)
        },
        Promise("a message is switched off and on again, by its own organization alone") { storage in
            let saved = try await storage.messages.save(sample(), in: storage.acme, at: .noon).message
            let foreign = try await storage.messages.setDisabled(true, message: saved.id, in: storage.globex)
            #expect(foreign == nil)
            #expect(try await storage.messages.message(saved.id)?.isDisabled == false)
            let off = try await storage.messages.setDisabled(true, message: saved.id, in: storage.acme)
            #expect(off?.isDisabled == true)
            #expect(try await storage.messages.message(saved.id) == off)
            let (again, isNew) = try await storage.messages.save(sample(), in: storage.acme, at: .noon + 9)
            #expect(again == off)
            #expect(!isNew)
            let on = try await storage.messages.setDisabled(false, message: saved.id, in: storage.acme)
            #expect(on == saved)
        },
        Promise("an id that was never given is nobody's message") { storage async throws in
            let unknown = MessageID(TimeOrderedNumber(known: 7))
            #expect(try await storage.messages.message(unknown) == nil)
            #expect(try await storage.messages.setDisabled(true, message: unknown, in: storage.acme) == nil)
        },
    ]

    private static func sample() throws -> Message {
        var content = Message(name: "spring sale 🎁")
        content.title = "jose\u{301}"
        content.purposes = try MessagePurposes(both: Purpose("offers"))
        content.custom = [.init(key: "k", value: "\"v\"\n")]
        content.badge = 0
        return content
    }
}
