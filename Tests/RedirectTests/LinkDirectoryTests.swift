import Identifiers
import Messages
import TestSupport
import Testing

@testable import Redirect

@Suite struct LinkDirectoryTests {
    private let table = RecordingRulesTable()

    @Test("the store is asked once, and memory answers from then on")
    func once() async throws {
        let store = FakeMessageStore(try .sample())
        let directory = LinkDirectory(store: store, table: LinkTable(rules: table))
        #expect(try directory.table.known(.sample()) == nil)
        let found = try await directory.find(.sample())
        #expect(try found?.id == .sample())
        #expect(try directory.table.known(.sample()) === found)
        #expect(try await directory.find(.sample()) === found)
        #expect(store.calls == 1)
    }

    @Test("a message has its tracked links, with the organization's rules and the purpose's list")
    func content() async throws {
        let message = try StoredMessage.sample(purpose: Purpose("mail"))
        let found = try #require(
            try await LinkDirectory(store: FakeMessageStore(message), table: LinkTable(rules: table)).find(.sample()))
        let location = "Location: \(StoredMessage.target)\r\n"
        let answer = try #require(found.redirect(LinkIndex(rawValue: 1)))
        #expect(String(decoding: answer.bytes, as: UTF8.self).contains(location))
        #expect(found.redirect(.message) == nil)
        #expect(found.redirect(LinkIndex(rawValue: 2)) == nil, "a deep link is never wrapped")
        #expect(found.redirect(LinkIndex(rawValue: 3)) != nil)
        #expect(found.redirect(LinkIndex(rawValue: 4)) == nil)
        let rules = try table.rules(of: .acme())
        #expect(found.rules === rules)
        #expect(try found.purposes == MessagePurposes(both: Purpose("mail")))
    }

    @Test("a link of a message that no longer tracks leads on, and no click is recorded")
    func untracked() async throws {
        let directory = LinkDirectory(
            store: FakeMessageStore(try .sample(tracking: false)), table: LinkTable(rules: table))
        let found = try #require(try await directory.find(.sample()))
        #expect(found.isUntracked)
        #expect(found.redirect(LinkIndex(rawValue: 1)) != nil)
        #expect(found.redirect(LinkIndex(rawValue: 2)) == nil, "a deep link is never wrapped")
    }

    @Test("only a store that answered says that a message is unknown")
    func unknown() async throws {
        let store = FakeMessageStore(try .sample(1))
        let directory = LinkDirectory(store: store, table: LinkTable(rules: table))
        #expect(try await directory.find(.sample(2)) == nil)
        store.isOut = true
        await #expect(throws: Outage.self) { try await directory.find(.sample(1)) }
        await #expect(throws: Outage.self) { try await directory.find(.sample(2)) }
        store.isOut = false
        #expect(try await directory.find(.sample(1)) != nil, "an outage is not remembered")
        store.put(try .sample(2))
        #expect(try await directory.find(.sample(2)) != nil, "nor is that a message was unknown")
    }

    @Test("what memory has outlives an outage of the store")
    func outage() async throws {
        let store = FakeMessageStore(try .sample())
        let directory = LinkDirectory(store: store, table: LinkTable(rules: table))
        _ = try await directory.find(.sample())
        store.isOut = true
        #expect(try await directory.find(.sample()) != nil)
    }

    @Test("a change is seen by the next click, without the store")
    func update() async throws {
        let store = FakeMessageStore(try .sample())
        let directory = LinkDirectory(store: store, table: LinkTable(rules: table))
        directory.update(try .sample())
        #expect(try directory.table.known(.sample())?.isDisabled == false)
        directory.update(try .sample(isDisabled: true))
        #expect(try directory.table.known(.sample())?.isDisabled == true)
        directory.update(try .sample())
        #expect(try directory.table.known(.sample())?.isDisabled == false)
        #expect(store.calls == 0)
    }

    @Test("a change wins over what was read from the store before it")
    func race() async throws {
        let store = FakeMessageStore(try .sample())
        store.isHeld = true
        let directory = LinkDirectory(store: store, table: LinkTable(rules: table))
        async let loading = directory.find(.sample())
        #expect(await eventually { store.calls == 1 })
        directory.update(try .sample(isDisabled: true))
        store.isHeld = false
        #expect(try await loading?.isDisabled == true)
        #expect(try directory.table.known(.sample())?.isDisabled == true)
    }

    @Test("a change that memory has dropped again wins over what was read from the store before it")
    func raceWithDrop() async throws {
        let store = FakeMessageStore(try .sample())
        store.isHeld = true
        let directory = LinkDirectory(store: store, table: LinkTable(rules: table, capacity: 0))
        async let loading = directory.find(.sample())
        #expect(await eventually { store.calls == 1 })
        store.put(try .sample(isDisabled: true))
        directory.update(try .sample(isDisabled: true))
        for number in 2...40 as ClosedRange<UInt64> { directory.update(try .sample(number)) }
        store.isHeld = false
        #expect(try await loading?.isDisabled == true)
    }

    @Test("when any message may have changed, each is read from the store again")
    func allChanged() async throws {
        let store = FakeMessageStore(try .sample(), try .sample(2))
        let links = LinkTable(rules: table)
        let directory = LinkDirectory(store: store, table: links)
        _ = try await directory.find(.sample())
        store.isHeld = true
        async let reading = directory.find(.sample(2))
        #expect(await eventually { store.calls == 2 })
        store.put(try .sample(isDisabled: true))
        store.put(try .sample(2, isDisabled: true))
        links.allMessagesChanged()
        store.isHeld = false
        #expect(try await reading?.isDisabled == true, "what was being read meanwhile is read again")
        #expect(try directory.table.known(.sample()) == nil)
        #expect(try await directory.find(.sample())?.isDisabled == true)
    }

    @Test("it keeps to its bound, and a message that was dropped comes back from the store")
    func bounded() async throws {
        let size = LinkedMessage(try .sample(), rules: try table.rules(of: .acme())).size
        let store = FakeMessageStore()
        let directory = LinkDirectory(store: store, table: LinkTable(rules: table, capacity: 100 * size))
        for number in 1...2000 as ClosedRange<UInt64> {
            directory.update(try .sample(number))
            #expect(try directory.table.known(.sample(number)) != nil, "the newest is kept")
        }
        let kept = try (1...2000 as ClosedRange<UInt64>).filter { try directory.table.known(.sample($0)) != nil }
        #expect(kept.count <= 100)
        #expect(kept.count >= 50, "and it does not forget everything at once")
        let dropped = try #require((1...2000 as ClosedRange<UInt64>).first { !kept.contains($0) })
        store.put(try .sample(dropped))
        #expect(try await directory.find(.sample(dropped)) != nil)
    }

    @Test("a message that is told of again and again takes its room once")
    func updatedOften() throws {
        let size = LinkedMessage(try .sample(), rules: try table.rules(of: .acme())).size
        let directory = LinkDirectory(store: FakeMessageStore(), table: LinkTable(rules: table, capacity: 10 * size))
        for number in 1...5 as ClosedRange<UInt64> { directory.update(try .sample(number)) }
        for _ in 0..<1000 { directory.update(try .sample(1)) }
        for number in 1...5 as ClosedRange<UInt64> { #expect(try directory.table.known(.sample(number)) != nil) }
    }

    @Test("what another node needs of a message is what this one has in memory")
    func copy() async throws {
        let message = try StoredMessage.sample(isDisabled: true, addedLinks: [.added(5)])
        let directory = LinkDirectory(store: FakeMessageStore(), table: LinkTable(rules: table))
        directory.update(message)
        #expect(await directory.copy(of: message.id) == FollowedMessage(message))
        #expect(try await directory.copy(of: .sample(2)) == nil)
    }
}
