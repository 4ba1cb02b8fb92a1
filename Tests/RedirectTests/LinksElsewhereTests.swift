import Identifiers
import Interactions
import Messages
import TestSupport
import Testing

@testable import Redirect

/// A link that was added to a message, which memory or a copy of the message may not have yet.
@Suite struct AddedLinkTests {
    private let table = RecordingRulesTable()

    private func location(_ index: UInt16, _ message: LinkedMessage?) -> Bool {
        guard let answer = message?.redirect(LinkIndex(rawValue: index)) else { return false }
        return String(decoding: answer.bytes, as: UTF8.self).contains("Location: https://shop.example/\(index)\r\n")
    }

    @Test("a message whose links were added is told of, and everything else is as it was")
    func added() throws {
        let directory = LinkDirectory(store: FakeMessageStore(), table: LinkTable(rules: table))
        directory.update(try .sample(isDisabled: true))
        directory.update(try .sample(isDisabled: true, addedLinks: [MessageLink.added(5), .added(4)]))
        let known = try #require(try directory.table.known(.sample()))
        #expect(location(4, known))
        #expect(location(5, known))
        #expect(known.redirect(Message.ownLinkIndex) != nil)
        #expect(known.isDisabled)
    }

    @Test("a change that was read before a link was added does not take the link away")
    func addedBeforeUpdate() throws {
        let directory = LinkDirectory(store: FakeMessageStore(), table: LinkTable(rules: table))
        directory.update(try .sample(addedLinks: [.added(5)]))
        directory.update(try .sample(isDisabled: true))
        #expect(try directory.table.known(.sample())?.isDisabled == true)
        #expect(location(5, try directory.table.known(.sample())))
    }

    @Test("a link that memory lacks is looked for in the store, and the message keeps it")
    func lacking() async throws {
        let store = FakeMessageStore(try .sample(addedLinks: [.added(4)]))
        let directory = LinkDirectory(store: store, table: LinkTable(rules: table))
        directory.update(try .sample())
        #expect(try directory.known(.sample(), having: LinkIndex(rawValue: 4)) == nil)
        #expect(location(4, try await directory.find(.sample(), having: LinkIndex(rawValue: 4))))
        #expect(location(4, try directory.table.known(.sample())))
        #expect(store.calls == 1)
        let found = try await directory.find(.sample(), having: LinkIndex(rawValue: 9))
        #expect(found != nil && found?.redirect(LinkIndex(rawValue: 9)) == nil, "the message has no such link")
    }

    @Test("a link that memory lacks does not bring back the state that the message had when the link was read")
    func lackingInOlderState() async throws {
        let directory = LinkDirectory(
            store: FakeMessageStore(try .sample(addedLinks: [.added(4)])), table: LinkTable(rules: table))
        directory.update(try .sample(isDisabled: true))
        let found = try await directory.find(.sample(), having: LinkIndex(rawValue: 4))
        #expect(location(4, found))
        #expect(found?.isDisabled == true)
        #expect(try directory.table.known(.sample())?.isDisabled == true)
    }

    @Test("a message with tracking off records nothing, also of a link that another reading brought")
    func untracked() async throws {
        let directory = LinkDirectory(
            store: FakeMessageStore(try .sample(tracking: false, addedLinks: [.added(4)])),
            table: LinkTable(rules: table))
        directory.update(try .sample(tracking: false))
        let found = try #require(try await directory.find(.sample(), having: LinkIndex(rawValue: 4)))
        #expect(location(4, found))
        #expect(found.isUntracked)
        for activity in TrackedActivity.allCases {
            let policy = found.recordingPolicy(for: try .sample(), of: activity, expires: .noon + 1, at: .noon)
            #expect(policy.verdict(at: .noon) != .record, "\(activity)")
        }
    }
}

/// Where messages are found that are not in memory: in the mirror, in the store, at other nodes.
@Suite struct LinksElsewhereTests {
    private let table = RecordingRulesTable()
    private let store = FakeMessageStore()
    private let mirror = FakeMirror()
    private let peers = FakePeers()

    private func directory(isStoreAway: Bool = false) -> LinkDirectory {
        LinkDirectory(
            store: store, table: LinkTable(rules: table), mirror: mirror, peers: peers,
            isStoreAway: { isStoreAway })
    }

    @Test("a mirror that has all messages is asked before the store")
    func mirrorFirst() async throws {
        mirror.put(try .sample(1))
        mirror.isComplete = true
        store.put(try .sample(1, isDisabled: true))
        #expect(try await directory().find(.sample(1))?.isDisabled == false)
        #expect(store.calls == 0)
        store.put(try .sample(2))
        #expect(try await directory().find(.sample(2)) != nil, "what it lacks may have been stored just now")
    }

    @Test("a link that the mirror lacks is looked for in the store, and at other nodes while that does not answer")
    func linkThatMirrorLacks() async throws {
        let link = LinkIndex(rawValue: 4)
        mirror.put(try .sample(1))
        mirror.isComplete = true
        store.put(try .sample(1, addedLinks: [.added(4)]))
        #expect(try await directory().find(.sample(1), having: link)?.redirect(link) != nil)
        store.isOut = true
        await #expect(throws: Outage.self) { try await directory().find(.sample(1), having: link) }
        peers.put(try .sample(1, addedLinks: [.added(4)]))
        #expect(try await directory().find(.sample(1), having: link)?.redirect(link) != nil)
    }

    @Test("a mirror that is being filled is asked when the store does not answer")
    func mirrorLast() async throws {
        mirror.put(try .sample(1))
        store.put(try .sample(1, isDisabled: true))
        #expect(try await directory().find(.sample(1))?.isDisabled == true)
        store.isOut = true
        #expect(try await directory().find(.sample(1))?.isDisabled == false)
    }

    @Test("what the store has and cannot read is looked for elsewhere, and is an error when nobody else has it")
    func damaged() async throws {
        store.isDamaged = true
        await #expect(throws: UnreadableMessage.self) { try await directory().find(.sample(1)) }
        mirror.put(try .sample(1))
        #expect(try await directory().find(.sample(1)) != nil)
        peers.put(try .sample(2))
        #expect(try await directory().find(.sample(2)) != nil)
    }

    @Test("other nodes are asked when neither has it, and before a store that is known to be away")
    func others() async throws {
        peers.put(try .sample(1))
        #expect(try await directory().find(.sample(1)) == nil, "the store says that there is none")
        store.isOut = true
        let found = try await directory().find(.sample(1))
        #expect(found != nil)
        let calls = store.calls
        #expect(try await directory(isStoreAway: true).find(.sample(1)) != nil)
        #expect(store.calls == calls)
        await #expect(throws: Outage.self) { try await directory().find(.sample(2)) }
    }

    @Test("what a change tells while the mirror is read is not lost")
    func race() async throws {
        mirror.put(try .sample(1))
        mirror.isComplete = true
        let directory = directory()
        mirror.duringNextRead { [mirror, directory] in
            mirror.put(try! .sample(1, isDisabled: true))
            directory.update(try! .sample(1, isDisabled: true))
        }
        #expect(try await directory.find(.sample(1))?.isDisabled == true)
    }
}
