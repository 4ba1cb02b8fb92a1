import Identifiers
import Interactions
import Synchronization
import TestSupport
import Testing

@testable import Redirect

struct ReportDeduplicatorTests {

    private func report(
        _ kind: InteractionKind = .pushNotificationOpened, message: UInt64 = 1, recipient: UInt64 = 1,
        action: String? = nil, after milliseconds: Int64 = 0
    ) throws -> Occurrence {
        Occurrence(
            kind: kind, source: .dynamics365, occurredAt: Timestamp.noon.advanced(byMilliseconds: milliseconds),
            message: try #require(MessageID(rawValue: message)),
            recipient: try #require(RecipientReference(rawValue: recipient)), link: .message, visitor: .deviceReport,
            action: action.flatMap(ActionIdentifier.init))
    }

    /// How often a store was asked, and what it answered.
    private final class Store: Sendable {
        private let count = Atomic<Int>(0)
        var calls: Int { count.load(ordering: .relaxed) }

        func answer(_ isStored: Bool) -> Bool {
            count.add(1, ordering: .relaxed)
            return isStored
        }
    }

    @Test("a report that is sent again within a minute is acknowledged and not stored")
    func repeated() async throws {
        let (memory, store) = (ReportDeduplicator(), Store())
        for milliseconds in [0, 1, 30_000, 60_000] as [Int64] {
            #expect(await memory.once(try report(after: milliseconds)) { store.answer(true) })
        }
        #expect(store.calls == 1)
    }

    @Test("after a minute it is another report")
    func later() async throws {
        let (memory, store) = (ReportDeduplicator(), Store())
        #expect(await memory.once(try report()) { store.answer(true) })
        #expect(await memory.once(try report(after: 60_001)) { store.answer(true) })
        #expect(store.calls == 2)
    }

    @Test("another type, message, person or button is no repeat")
    func different() async throws {
        let (memory, store) = (ReportDeduplicator(), Store())
        let reports = [
            try report(), try report(.pushNotificationClicked), try report(message: 2), try report(recipient: 2),
            try report(action: "buy"), try report(action: "later"),
            try report(action: "\u{E9}"), try report(action: "e\u{301}"),
        ]
        for report in reports + reports { #expect(await memory.once(report) { store.answer(true) }) }
        #expect(store.calls == 8)
    }

    @Test("a report that could not be stored is not taken for one that was")
    func failed() async throws {
        let (memory, store) = (ReportDeduplicator(), Store())
        #expect(await memory.once(try report()) { store.answer(false) } == false)
        #expect(await memory.once(try report(after: 5)) { store.answer(true) })
        #expect(store.calls == 2)
    }

    @Test("a repeat that overtakes the disk gets the answer of the first", arguments: [true, false])
    func pending(isStored: Bool) async throws {
        let (memory, store) = (ReportDeduplicator(), Store())
        let first = try report()
        let (disk, release) = AsyncStream<Void>.makeStream()
        async let answer = memory.once(first) {
            for await _ in disk { break }
            return store.answer(isStored)
        }
        // The first is on its way once a second of its kind does not reach the store.
        var repeats: [Task<Bool, Never>] = []
        while store.calls == 0 && repeats.count < 20 {
            try await Task.sleep(for: .milliseconds(5))
            repeats.append(Task { await memory.once(first) { isStored } })
        }
        release.yield()
        #expect(await answer == isStored)
        for task in repeats { #expect(await task.value == isStored) }
        #expect(store.calls == 1)
    }

    @Test("what was stored before a restart is remembered")
    func restart() async throws {
        let store = Store()
        let memory = ReportDeduplicator()
        memory.remember([try report(), try report(action: "buy")])
        #expect(await memory.once(try report(after: 10)) { store.answer(true) })
        #expect(await memory.once(try report(action: "buy", after: 10)) { store.answer(true) })
        #expect(store.calls == 0)
    }

    @Test("of equal reports from before a restart the latest counts, whichever is read first", arguments: [0, 30_000])
    func equalBeforeRestart(first: Int64) async throws {
        let store = Store()
        let memory = ReportDeduplicator()
        memory.remember([try report(after: first), try report(after: 30_000 - first)])
        #expect(await memory.once(try report(after: 90_000)) { store.answer(true) })
        #expect(store.calls == 0)
        #expect(await memory.once(try report(after: 90_001)) { store.answer(true) })
        #expect(store.calls == 1)
    }

    @Test(
        "who waits for a report on its way is told once, and who asks later is told at once", arguments: [true, false])
    func waiters(isStored: Bool) throws {
        let (memory, report, told) = (ReportDeduplicator(), try report(), Note<[Bool]>([]))
        #expect(memory.begin(report) == .isNew)
        #expect(memory.begin(try self.report(after: 5)) == .isPending)
        for _ in 0..<2 { #expect(memory.whenStored(report) { told.value += [$0] } == nil) }
        #expect(told.value.isEmpty)
        memory.end(report, isStored: isStored)
        #expect(told.value == [isStored, isStored])
        #expect(memory.whenStored(report) { _ in Issue.record("told twice") } == isStored)
        #expect(memory.begin(report) == (isStored ? .isRepeat : .isNew))
    }

    @Test("a report that was dropped is forgotten, and a later one of its kind is not")
    func dropped() throws {
        let (memory, first) = (ReportDeduplicator(), try report())
        #expect(memory.begin(first) == .isNew)
        memory.end(first, isStored: true)
        memory.forget([try report(after: -5), try report(recipient: 2)])
        #expect(memory.begin(try report(after: 10)) == .isRepeat)
        memory.forget([first])
        let second = try report(after: 20)
        #expect(memory.begin(second) == .isNew)
        memory.forget([first])
        memory.end(second, isStored: true)
        #expect(memory.begin(try report(after: 30)) == .isRepeat)
    }

    @Test("a report that was dropped before the disk answered is acknowledged and forgotten")
    func droppedBeforeItsEnd() throws {
        let (memory, first, told) = (ReportDeduplicator(), try report(), Note<[Bool]>([]))
        #expect(memory.begin(first) == .isNew)
        memory.forget([first])
        #expect(memory.whenStored(first) { told.value += [$0] } == nil)
        memory.end(first, isStored: true)
        #expect(told.value == [true])
        #expect(memory.begin(try report(after: 10)) == .isNew)
    }

    @Test("a report that is on its way is not forgotten, however long that takes")
    func slow() throws {
        let (memory, first) = (ReportDeduplicator(), try report())
        #expect(memory.begin(first) == .isNew)
        for minutes in 1...5 as ClosedRange<Int64> {
            #expect(memory.begin(try report(after: minutes * 61_000)) == .isPending)
        }
        memory.end(first, isStored: true)
        #expect(memory.begin(try report(after: 305_000)) == .isNew, "it happened long ago")
    }

    @Test("the reports of many recipients are told apart, and forgotten after a minute")
    func many() throws {
        let memory = ReportDeduplicator()
        for recipient in 1...1000 as ClosedRange<UInt64> {
            let first = try report(recipient: recipient)
            #expect(memory.begin(first) == .isNew)
            memory.end(first, isStored: true)
        }
        for recipient in 1...1000 as ClosedRange<UInt64> {
            #expect(memory.begin(try report(recipient: recipient, after: 60_000)) == .isRepeat)
            #expect(memory.begin(try report(recipient: recipient, after: 60_001)) == .isNew)
        }
    }
}
