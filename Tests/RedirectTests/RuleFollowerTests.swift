import Consent
import Identifiers
import Messages
import StoragePorts
import Synchronization
import TestSupport
import Testing

@testable import Redirect

/// A feed in memory, which can be another one from one call to the next.
private final class FakeRuleFeed: RuleFeed {
    private struct State {
        var mark: UInt64 = 1
        var snapshot: [OrganizationRules] = []
        /// How many changes the snapshot has.
        var start = 0
        var changes: [RuleChange] = []
        var snapshots = 0
        var isOut = false
    }

    private let state = Mutex(State())
    /// Is called after a snapshot or a page was made, and before it is returned.
    private let duringCall = Mutex<(@Sendable () -> Void)?>(nil)

    var snapshots: Int { state.withLock { $0.snapshots } }
    var isOut: Bool {
        get { state.withLock { $0.isOut } }
        set { state.withLock { $0.isOut = newValue } }
    }

    func duringNextCall(_ body: @escaping @Sendable () -> Void) { duringCall.withLock { $0 = body } }

    /// - Returns: the cursors before and after the change.
    @discardableResult
    func add(_ change: RuleChange) -> (RuleCursor, RuleCursor) {
        state.withLock { state in
            state.changes.append(change)
            let position = UInt64(state.changes.count)
            return (
                RuleCursor(position: position - 1, mark: state.mark), RuleCursor(position: position, mark: state.mark)
            )
        }
    }

    /// Another history, whose snapshot has everything so far.
    func replace(by rules: OrganizationRules) {
        state.withLock { state in
            state.mark += 1
            state.snapshot = [rules]
            state.start = state.changes.count
        }
    }

    func poll(after cursor: RuleCursor) async throws -> RulePage {
        let page = try state.withLock { state -> RulePage in
            if state.isOut { throw Outage() }
            guard cursor.mark == state.mark else { return .replaced(isOtherHistory: true) }
            let page = state.changes.dropFirst(Int(cursor.position)).prefix(2)
            return .changes(
                Array(page), next: RuleCursor(position: cursor.position + UInt64(page.count), mark: cursor.mark))
        }
        duringCall.withLock { $0.take() }?()
        return page
    }

    func snapshot() async throws -> RuleSnapshot {
        let snapshot = try state.withLock { state in
            if state.isOut { throw Outage() }
            state.snapshots += 1
            return RuleSnapshot(
                organizations: state.snapshot, cursor: RuleCursor(position: UInt64(state.start), mark: state.mark))
        }
        duringCall.withLock { $0.take() }?()
        return snapshot
    }
}

extension FakeRuleFeed {
    func messages(after id: MessageID?, limit: Int) async throws -> MessagePage { MessagePage(messages: [], last: nil) }
}

/// Writes down what it is told, in words.
private final class Notes: ConsentObserver, MessageObserver {
    private let list = Mutex<[String]>([])

    func take() -> [String] {
        list.withLock { list in
            defer { list = [] }
            return list
        }
    }

    private func add(_ note: String) { list.withLock { $0.append(note) } }

    func consentChanged(_ changes: [ConsentChange], in _: OrganizationID) { add("changed \(changes.count)") }
    func recipientErased(_ reference: RecipientReference, in _: OrganizationID) { add("erased \(reference.rawValue)") }
    func recordingReloaded(_: [RecordingScope: [RecordingEnd]], enforcement: Enforcement, in _: OrganizationID) {
        add("\(enforcement)")
    }
    func privacyControlChanged(isHonored: Bool, in _: OrganizationID) { add("GPC \(isHonored)") }
    func historyReplaced() { add("other history") }
    func messageChanged(_ message: StoredMessage) { add("message \(message.isDisabled ? "off" : "on")") }
    func allMessagesChanged() { add("all messages") }
}

@Suite struct RuleFollowerTests {
    private let feed = FakeRuleFeed()
    private let notes = Notes()
    private let follower: RuleFollower

    init() { follower = RuleFollower(consent: notes, messages: notes) }

    private func erasure(_ number: UInt64) throws -> RuleChange { .erasure(try .sample(number), try .acme()) }

    private func rules(_ enforcement: Enforcement) throws -> OrganizationRules {
        OrganizationRules(
            organization: try .acme(), enforcement: enforcement, honorsGPC: true, ends: [:], erased: [])
    }

    @Test("it begins with a snapshot, and then tells every change once, in order")
    func beginning() async throws {
        feed.replace(by: try rules(.restrictive))
        for number in 1...5 as ClosedRange<UInt64> { feed.add(try erasure(number)) }
        try await follower.catchUp(with: feed)
        #expect(
            notes.take() == [
                "all messages", "GPC true", "restrictive", "erased 1", "erased 2", "erased 3", "erased 4", "erased 5",
            ])
        feed.add(.message(try .sample(isDisabled: true)))
        feed.add(.privacyControl(isHonored: false, try .acme()))
        try await follower.catchUp(with: feed)
        try await follower.catchUp(with: feed)
        #expect(notes.take() == ["message off", "GPC false"])
        #expect(feed.snapshots == 1)
    }

    @Test("what the storage tells is told at once, and no second time by the feed")
    func live() async throws {
        try await follower.catchUp(with: feed)
        _ = notes.take()
        let (before, after) = feed.add(try erasure(1))
        follower.ruleChanged(try erasure(1), after: before, at: after)
        #expect(notes.take() == ["erased 1"])
        follower.ruleChanged(try erasure(1), after: before, at: after)
        try await follower.catchUp(with: feed)
        #expect(notes.take().isEmpty)
    }

    @Test("before it began it takes nothing from the storage: the snapshot has it")
    func beforeBeginning() async throws {
        let (before, after) = feed.add(try erasure(1))
        follower.ruleChanged(try erasure(1), after: before, at: after)
        #expect(notes.take().isEmpty)
        try await follower.catchUp(with: feed)
        #expect(notes.take() == ["all messages", "erased 1"])
    }

    @Test("a change during a call is told once, in its order, whichever way it comes first")
    func duringCalls() async throws {
        func tellLive(_ number: UInt64) throws -> @Sendable () -> Void {
            let change = try erasure(number)
            return { [feed, follower] in
                let (before, after) = feed.add(change)
                follower.ruleChanged(change, after: before, at: after)
            }
        }
        feed.duringNextCall(try tellLive(1))
        try await follower.catchUp(with: feed)
        #expect(notes.take() == ["all messages", "erased 1"], "during the snapshot")
        feed.duringNextCall(try tellLive(2))
        try await follower.catchUp(with: feed)
        #expect(notes.take() == ["erased 2"], "after an empty page was made")
        feed.add(try erasure(3))
        feed.duringNextCall(try tellLive(4))
        try await follower.catchUp(with: feed)
        #expect(notes.take() == ["erased 3", "erased 4"], "after a page without it was made")
    }

    @Test("when the feed has another history it tells a snapshot, and messages are read again")
    func replaced() async throws {
        feed.add(try erasure(1))
        try await follower.catchUp(with: feed)
        _ = notes.take()
        feed.replace(by: try rules(.nonRestrictive))
        feed.add(try erasure(2))
        try await follower.catchUp(with: feed)
        #expect(notes.take() == ["other history", "all messages", "GPC true", "nonRestrictive", "erased 2"])
    }

    @Test("what waits for another history comes before anything of it, and again where it failed; it is told once")
    func beforeOtherHistory() async throws {
        feed.add(try erasure(1))
        try await follower.catchUp(with: feed)
        _ = notes.take()
        let calls = Mutex(0)
        let told = Mutex(0)
        follower.onOtherHistory {
            told.withLock { $0 += 1 }
        } follow: { [notes] in
            #expect(notes.take().isEmpty)
            let count = calls.withLock { calls in
                calls += 1
                return calls
            }
            if count == 1 { throw Outage() }
        }
        feed.add(try erasure(2))
        try await follower.catchUp(with: feed)
        #expect(calls.withLock { $0 } == 0 && notes.take() == ["erased 2"])
        feed.replace(by: try rules(.nonRestrictive))
        await #expect(throws: Outage.self) { try await follower.catchUp(with: feed) }
        #expect(notes.take().isEmpty)
        try await follower.catchUp(with: feed)
        #expect(calls.withLock { $0 } == 2 && told.withLock { $0 } == 1)
        #expect(notes.take() == ["other history", "all messages", "GPC true", "nonRestrictive"])
        feed.replace(by: try rules(.restrictive))
        try await follower.catchUp(with: feed)
        #expect(told.withLock { $0 } == 2, "each history is told")
    }

    @Test("a feed that fails is followed from the same place when it works again")
    func outage() async throws {
        feed.add(try erasure(1))
        try await follower.catchUp(with: feed)
        _ = notes.take()
        feed.add(try erasure(2))
        feed.isOut = true
        await #expect(throws: Outage.self) { try await follower.catchUp(with: feed) }
        #expect(notes.take().isEmpty)
        feed.isOut = false
        try await follower.catchUp(with: feed)
        #expect(notes.take() == ["erased 2"])
    }

    @Test("it begins with what the mirror has, and the feed tells the rest")
    func mirror() async throws {
        feed.replace(by: try rules(.restrictive))
        feed.add(try erasure(1))
        feed.add(try erasure(2))
        let known = RuleSnapshot(
            organizations: [try rules(.nonRestrictive)], cursor: RuleCursor(position: 1, mark: 2))
        let mirror = FakeMirror(rules: known)
        let follower = RuleFollower(consent: notes, messages: notes, mirror: mirror)
        try await follower.beginWithMirror()
        #expect(notes.take() == ["GPC true", "nonRestrictive"])
        try await follower.catchUp(with: feed)
        #expect(notes.take() == ["erased 2"])
        #expect(mirror.noted == ["1 up to 2"])
        #expect(feed.snapshots == 0)
    }

    @Test("a mirror that is of another history is told all rules, and keeps the ends that it has")
    func mirrorOfAnotherHistory() async throws {
        feed.replace(by: try rules(.restrictive))
        let known = RuleSnapshot(organizations: [], cursor: RuleCursor(position: 7, mark: 9))
        let mirror = FakeMirror(rules: known)
        let follower = RuleFollower(consent: notes, messages: notes, mirror: mirror)
        try await follower.beginWithMirror()
        try await follower.catchUp(with: feed)
        #expect(mirror.noted == ["all, ends kept"])
        #expect(notes.take() == ["other history", "all messages", "GPC true", "restrictive"])
    }

    @Test("a mirror that could not keep up is told all rules once more")
    func mirrorThatNeedsRules() async throws {
        feed.replace(by: try rules(.restrictive))
        let mirror = FakeMirror()
        let follower = RuleFollower(consent: notes, messages: notes, mirror: mirror)
        try await follower.beginWithMirror()
        try await follower.catchUp(with: feed)
        mirror.needsRules = true
        feed.add(try erasure(1))
        try await follower.catchUp(with: feed)
        #expect(mirror.noted == ["all", "all", "1 up to 1"])
        #expect(feed.snapshots == 2)
    }

    @Test("a mirror that needs all rules hides no other history, also where what waits for that fails")
    func mirrorThatNeedsRulesOfAnotherHistory() async throws {
        feed.replace(by: try rules(.restrictive))
        let mirror = FakeMirror()
        let follower = RuleFollower(consent: notes, messages: notes, mirror: mirror)
        try await follower.catchUp(with: feed)
        _ = notes.take()
        let isReady = Mutex(false)
        follower.onOtherHistory(notify: {}, follow: { if !isReady.withLock({ $0 }) { throw Outage() } })
        feed.replace(by: try rules(.nonRestrictive))
        mirror.needsRules = true
        await #expect(throws: Outage.self) { try await follower.catchUp(with: feed) }
        await #expect(throws: Outage.self) { try await follower.catchUp(with: feed) }
        isReady.withLock { $0 = true }
        try await follower.catchUp(with: feed)
        #expect(notes.take() == ["other history", "all messages", "GPC true", "nonRestrictive"])
        #expect(mirror.noted == ["all", "all, ends kept"])
    }
}
