import Identifiers
import Interactions
import Synchronization
import TestSupport
import Testing

@testable import HTTPAPI

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
        ]
        for report in reports + reports { #expect(await memory.once(report) { store.answer(true) }) }
        #expect(store.calls == 6)
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
        let memory = ReportDeduplicator(known: [try report(), try report(action: "buy")])
        #expect(await memory.once(try report(after: 10)) { store.answer(true) })
        #expect(await memory.once(try report(action: "buy", after: 10)) { store.answer(true) })
        #expect(store.calls == 0)
    }
}
