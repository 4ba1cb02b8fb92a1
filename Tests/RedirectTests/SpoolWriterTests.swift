import Identifiers
import Interactions
import Synchronization
import TestSupport
import Testing

@testable import Redirect

@Suite struct SpoolWriterTests {
    /// What the completions of submissions were told, in the order of the telling.
    final class Outcomes: Sendable {
        private let list = Mutex<[(name: String, outcome: SpoolOutcome)]>([])

        var names: [String] { list.withLock { $0.map(\.name) } }
        func names(_ wanted: SpoolOutcome) -> [String] {
            list.withLock { $0.filter { $0.outcome == wanted }.map(\.name) }
        }

        func completion(_ name: String) -> SpoolWriter.Completion {
            { outcome in self.list.withLock { $0.append((name, outcome)) } }
        }
    }

    private let spool = FakeSpool()
    private let outcomes = Outcomes()
    private let faults = FaultList()

    private func writer(onCommit: @escaping @Sendable (SpoolPosition) -> Void = { _ in }) -> SpoolWriter {
        SpoolWriter(spool: spool, onCommit: onCommit, report: { [faults] in faults.add($0) })
    }

    @Test("a lone click commits at once, and is told so after it is in the spool")
    func lone() async throws {
        let writer = writer()
        let spool = spool
        let heldWhenTold = Note<Int?>(nil)
        await withCheckedContinuation { continuation in
            do {
                writer.submit([try .click()]) { outcome in
                    heldWhenTold.value = outcome == .recorded ? spool.held.count : nil
                    continuation.resume()
                }
            } catch {
                Issue.record(error)
                continuation.resume()
            }
        }
        #expect(heldWhenTold.value == 1)
        #expect(writer.lastPosition == SpoolPosition(rawValue: 1))
    }

    @Test("all that wait while one commit is under way share the next, in their order")
    func groupCommit() async throws {
        let writer = writer()
        spool.isStuck = true
        writer.submit([try .click(by: 1)], completion: outcomes.completion("first"))
        #expect(await eventually { spool.isAppending })
        for number in 2...100 as ClosedRange<UInt64> {
            writer.submit(
                [try .click(by: number), try .click(by: number)], completion: outcomes.completion("\(number)"))
        }
        try await Task.sleep(for: .milliseconds(20))
        #expect(outcomes.names.isEmpty, "nobody is told before the disk is")
        spool.isStuck = false
        #expect(await eventually { outcomes.names.count == 100 })
        #expect(spool.commits == [1, 198])
        #expect(outcomes.names(.recorded) == ["first"] + (2...100).map { "\($0)" })
        #expect(spool.held.map(\.occurrence.recipient.rawValue) == [1] + (2...100).flatMap { [$0, $0] })
    }

    @Test("a node that is set so stores nothing while it is stale, and goes on when it is not any more")
    func stale() async throws {
        let isStale = Note(true)
        let writer = SpoolWriter(
            spool: spool, isStale: { isStale.value }, onCommit: { _ in }, report: { [faults] in faults.add($0) })
        writer.submit([try .click(by: 1)], completion: outcomes.completion("first"))
        #expect(outcomes.names(.unrecorded(.stale)) == ["first"], "at once")
        isStale.value = false
        writer.submit([try .click(by: 2)], completion: outcomes.completion("second"))
        #expect(await eventually { outcomes.names(.recorded) == ["second"] })
        #expect(spool.held.map(\.occurrence.recipient.rawValue) == [2])
        #expect(writer.failure == nil)
    }

    @Test("each commit is told of, before those who waited for it")
    func onCommit() async throws {
        let outcomes = outcomes
        let tellsAtCommit = Note<[Int]>([])
        let writer = writer { _ in tellsAtCommit.value += [outcomes.names.count] }
        writer.submit([try .click()], completion: outcomes.completion("one"))
        #expect(await eventually { outcomes.names.count == 1 })
        writer.submit([try .click()], completion: outcomes.completion("two"))
        #expect(await eventually { outcomes.names.count == 2 })
        #expect(tellsAtCommit.value == [0, 1])
    }

    @Test("what cannot be made durable is unrecorded; the first failure is reported, and a success ends it")
    func failure() async throws {
        let writer = writer()
        spool.isBroken = true
        for name in ["one", "two"] {
            writer.submit([try .click()], completion: outcomes.completion(name))
            #expect(await eventually { outcomes.names.contains(name) })
        }
        #expect(outcomes.names(.unrecorded(.failed)) == ["one", "two"])
        #expect(writer.failure is Outage)
        #expect(faults.count == 1)
        #expect(writer.lastPosition == .start)
        spool.isBroken = false
        writer.submit([try .click()], completion: outcomes.completion("three"))
        #expect(await eventually { outcomes.names(.recorded) == ["three"] })
        #expect(writer.failure == nil)
        spool.isBroken = true
        writer.submit([try .click()], completion: outcomes.completion("four"))
        #expect(await eventually { outcomes.names(.unrecorded(.failed)).count == 3 })
        #expect(faults.count == 2, "a new failure is news")
    }

    @Test("a failed commit fails all writes that shared it, and no other")
    func sharedFailure() async throws {
        let writer = writer()
        spool.isStuck = true
        writer.submit([try .click()], completion: outcomes.completion("one"))
        #expect(await eventually { spool.isAppending })
        writer.submit([try .click()], completion: outcomes.completion("two"))
        writer.submit([try .click()], completion: outcomes.completion("three"))
        spool.isBroken = true
        spool.isStuck = false
        #expect(await eventually { outcomes.names.count == 3 })
        #expect(outcomes.names(.unrecorded(.failed)) == ["one", "two", "three"])
        #expect(spool.held.isEmpty)
    }

    @Test("200,000 clicks wait for a stuck disk, and more are turned away at once")
    func overload() async throws {
        let writer = writer()
        let click = try Occurrence.click()
        spool.isStuck = true
        writer.submit([click], completion: outcomes.completion("in flight"))
        #expect(await eventually { spool.isAppending })
        writer.submit(Array(repeating: click, count: 199_999), completion: outcomes.completion("many"))
        writer.submit([click, click], completion: outcomes.completion("too many"))
        #expect(outcomes.names(.unrecorded(.overloaded)) == ["too many"], "at once")
        writer.submit([click], completion: outcomes.completion("last"))
        #expect(outcomes.names == ["too many"])
        spool.isStuck = false
        #expect(await eventually { outcomes.names.count == 4 })
        #expect(outcomes.names(.recorded) == ["in flight", "many", "last"])
        writer.submit([click], completion: outcomes.completion("after"))
        #expect(await eventually { outcomes.names(.recorded).contains("after") }, "there is room again")
    }

    @Test("an erasure of residuals waits for the commit in flight, and comes after what was drained is removed")
    func eraseResiduals() async throws {
        let writer = writer()
        writer.submit([try .click()], completion: outcomes.completion("one"))
        #expect(await eventually { outcomes.names.count == 1 })
        spool.isStuck = true
        writer.submit([try .click()], completion: outcomes.completion("two"))
        #expect(await eventually { spool.isAppending })
        writer.remove(through: SpoolPosition(rawValue: 1))
        let isErased = Note(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await writer.eraseResiduals()
                isErased.value = true
            }
            try await Task.sleep(for: .milliseconds(20))
            #expect(!isErased.value)
            spool.isStuck = false
            try await group.waitForAll()
        }
        #expect(
            spool.events == [
                .append(count: 1), .append(count: 1), .remove(SpoolPosition(rawValue: 1)), .eraseResiduals,
            ])
    }

    @Test("a spool that refused a commit is tried again without a click, until it takes a write")
    func retry() async throws {
        let writer = writer()
        spool.isBroken = true
        writer.submit([try .click()], completion: outcomes.completion("one"))
        #expect(await eventually { outcomes.names(.unrecorded(.failed)) == ["one"] })
        await writer.retryIfFailing()
        // Behind the attempt.
        await #expect(throws: Outage.self) { try await writer.eraseResiduals() }
        #expect(writer.unrecordedReason == .failed)
        spool.isBroken = false
        await writer.retryIfFailing()
        #expect(await eventually { writer.unrecordedReason == nil })
        #expect(spool.commits.isEmpty, "nothing was stored for it")
    }

    @Test("an erasure of residuals that failed says so")
    func failedErasure() async throws {
        let writer = writer()
        spool.isBroken = true
        await #expect(throws: Outage.self) { try await writer.eraseResiduals() }
    }

    @Test("an erasure of residuals does not succeed while what was drained is still there")
    func erasureAfterFailedRemoval() async throws {
        let writer = writer()
        writer.submit([try .click()], completion: outcomes.completion("one"))
        #expect(await eventually { outcomes.names.count == 1 })
        spool.failRemovals(1)
        writer.remove(through: SpoolPosition(rawValue: 1))
        #expect(await eventually { faults.count == 1 })
        do {
            try await writer.eraseResiduals()
            #expect(spool.held.isEmpty)
        } catch {
            #expect(!spool.held.isEmpty, "it may fail, for then nobody takes the erasure for done")
        }
    }
}
