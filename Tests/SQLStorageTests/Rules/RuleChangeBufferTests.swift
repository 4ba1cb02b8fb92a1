import Consent
import Identifiers
import Messages
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import SQLStorage

@Suite struct RuleChangeBufferTests {
    private let acme: OrganizationID
    private let reference: RecipientReference

    init() throws {
        acme = try OrganizationID("acme")
        reference = try #require(RecipientReference(rawValue: 7))
    }

    @Test("it forgets the oldest changes beyond its bound, and a cursor before one of them is replaced")
    func bound() throws {
        let observer = RecordingObserver(obeys: false)
        let changes = RuleChangeBuffer(observer: observer, capacity: 100)
        let start = changes.head
        for _ in 0..<100 { changes.append(.erasure(reference, acme)) }
        #expect(count(after: start, changes) == 100)
        let before = changes.head
        changes.append(.privacyControl(isHonored: false, acme))
        #expect(count(after: start, changes) == nil)
        #expect(count(after: before, changes) == 1)
        #expect(count(after: RuleCursor(position: 51, mark: start.mark), changes) == 50)
        #expect(count(after: RuleCursor(position: 50, mark: start.mark), changes) == nil)
        #expect(observer.events.count == 100)
        #expect(observer.privacyControl == [false])
    }

    @Test("a change that is larger than the bound is told, and not kept")
    func large() throws {
        let observer = RecordingObserver(obeys: false)
        let changes = RuleChangeBuffer(observer: observer, capacity: 100)
        let start = changes.head
        let end = RecordingEnd(reference: reference, end: .noon)
        changes.append(
            .recording([.purpose(.tracking): [RecordingEnd](repeating: end, count: 500)], .restrictive, acme))
        #expect(count(after: start, changes) == nil)
        #expect(changes.head.position == start.position + 1)
        #expect(count(after: changes.head, changes) == 0)
        changes.append(.erasure(reference, acme))
        #expect(count(after: RuleCursor(position: 1, mark: start.mark), changes) == 1)
        #expect(observer.events.count == 2)
    }

    @Test("mails of many megabytes are told and not kept, and neither are many links")
    func mails() throws {
        let changes = RuleChangeBuffer(observer: RecordingObserver(obeys: false))
        let start = changes.head
        var content = Message(name: "long")
        content.text = String(repeating: "x", count: 10 << 20)
        let long = StoredMessage(
            id: try #require(MessageID(rawValue: 1)), organization: acme, content: content, createdAt: .noon,
            isDisabled: false)
        let target = try TargetURL(stored: "https://shop.example/")
        let link = MessageLink(
            index: Message.ownLinkIndex, target: target, location: "text", label: nil, isTracked: true)
        let linked = StoredMessage(
            id: try #require(MessageID(rawValue: 2)), organization: acme, content: Message(name: "linked"),
            createdAt: .noon, isDisabled: false, addedLinks: [MessageLink](repeating: link, count: 20_000))
        for message in [long, linked] {
            let before = changes.head
            changes.append(.message(message))
            #expect(count(after: before, changes) == nil)
        }
        #expect(count(after: start, changes) == nil)
        #expect(changes.head.position == start.position + 2)
    }

    @Test("a change that the observer obeys at once is not kept, and neither are those before it")
    func obeyed() throws {
        let observer = Follower()
        let changes = RuleChangeBuffer(observer: observer)
        let start = changes.head
        for _ in 0..<3 { changes.append(.erasure(reference, acme)) }
        #expect(count(after: start, changes) == 3, "it reads the feed first")
        observer.obeys.value = true
        changes.append(.erasure(reference, acme))
        #expect(count(after: start, changes) == nil)
        #expect(count(after: changes.head, changes) == 0)
        let head = changes.head
        #expect(head.position == start.position + 4)
        observer.obeys.value = false
        changes.append(.erasure(reference, acme))
        #expect(count(after: head, changes) == 1)
    }

    @Test("each change is told with the cursors before and after it")
    func cursors() throws {
        let observer = CursorsInMemory()
        let changes = RuleChangeBuffer(observer: observer)
        let start = changes.head
        for _ in 0..<3 { changes.append(.erasure(reference, acme)) }
        #expect(observer.cursors.map(\.0) == [start] + observer.cursors.dropLast().map(\.1))
        #expect(observer.cursors.last?.1 == changes.head)
    }

    /// `nil` when the cursor is replaced.
    private func count(after cursor: RuleCursor, _ changes: RuleChangeBuffer) -> Int? {
        if case .changes(let page, _) = changes.page(after: cursor) { page.count } else { nil }
    }
}

/// An observer that obeys a change at once while it knows all before it.
private final class Follower: RuleObserver {
    let obeys = Note(false)

    func ruleChanged(_: RuleChange, after previous: RuleCursor, at cursor: RuleCursor) -> Bool { obeys.value }
}
