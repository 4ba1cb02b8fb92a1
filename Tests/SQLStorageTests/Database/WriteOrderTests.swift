import SQL
import StorageContracts
import StoragePorts
import Synchronization
import TestSupport
import Testing

@testable import SQLStorage

/// In which order, and how many together, writes are committed that wait at once.
@Suite struct WriteOrderTests {
    private let engine = EngineInMemory()

    @Test("a short write is committed before bulk that has waited longer, and shares no transaction with it")
    func shortFirst() throws {
        let commits = try groupCommit()
        for number in 1...3 { submit(Int64(number), .bulk(rows: 10), commits) }
        submit(4, .short, commits)
        engine.run()
        #expect(engine.numbers == [4, 1, 2, 3])
        #expect(engine.answers == 2)
    }

    @Test("a short write that comes while bulk waits for its turn gets that turn")
    func shortInTurn() throws {
        let commits = try groupCommit()
        engine.beforeTurn(once { submit(2, .short, commits) })
        submit(1, .bulk(rows: 10), commits)
        engine.run()
        #expect(engine.numbers == [2, 1])
    }

    @Test("short writes that come without a pause do not keep bulk waiting for longer than one turn")
    func bulkIsWritten() throws {
        let commits = try groupCommit()
        let next = Atomic<Int64>(1)
        engine.beforeTurn {
            let number = next.add(1, ordering: .relaxed).newValue
            if number <= 6 { submit(number, .short, commits) }
        }
        submit(1, .bulk(rows: 10), commits)
        engine.run()
        #expect(engine.numbers == [2, 1, 3, 4])
    }

    @Test("a transaction takes a bounded number of rows of bulk, and of a larger write that one alone")
    func bounded() throws {
        var queue = WriteQueue(maximumRowCount: 2_000)
        for rows in [900, 1_100, 1, 5_000, 1_000, 1_000] { queue.append(Waiting(load: .bulk(rows: rows))) }
        #expect(queue.dequeue(.bulk).count == 2)
        #expect(queue.dequeue(.bulk).count == 1)
        #expect(queue.dequeue(.bulk).count == 1)
        #expect(queue.dequeue(.bulk).count == 2)
        #expect(queue.dequeue(.bulk).isEmpty)
    }

    @Test("a large write shares no transaction: each page it changes would be copied", arguments: [false, true])
    func large(hasSeveralWriters: Bool) throws {
        var queue = WriteQueue(maximumRowCount: GroupCommit.maximumRowCount(ofSeveralWriters: hasSeveralWriters))
        for rows in [500, 24_000, 500, 500] { queue.append(Waiting(load: .bulk(rows: rows))) }
        #expect((0..<4).map { _ in queue.dequeue(.bulk).count } == [1, 1, 2, 0])
    }

    @Test("bulk waits until the engine says that this process may write it, and short writes do not wait for that")
    func turnOfBulk() throws {
        engine.holdBulk()
        let commits = try groupCommit()
        submit(1, .bulk(rows: 10), commits)
        submit(2, .short, commits)
        engine.run()
        #expect(engine.numbers == [2])
        submit(3, .bulk(rows: 10), commits)
        engine.letBulk()
        engine.run()
        #expect(engine.numbers == [2, 1, 3])
        #expect(engine.bulkTurns == 1)
    }

    @Test("a write whose turn does not come fails, and the next write gets a turn")
    func failing() throws {
        let commits = try groupCommit()
        let told = Notes<Int64>()
        engine.refuseTurns(1)
        submit(1, .bulk(rows: 10), commits, told)
        engine.run()
        #expect(told.all == [-1])
        submit(2, .bulk(rows: 10), commits, told)
        engine.run()
        #expect(engine.numbers == [2])
        #expect(engine.bulkTurns == 2)
    }

    private func groupCommit() throws -> GroupCommit {
        try GroupCommit(
            engine, participant: MemoryOfRows(Notes<Int64>()), rules: RuleLogInMemory { _ in }, clock: { .noon })
    }

    /// - Parameter told: gets the number, negative when the write failed.
    private func submit(_ number: Int64, _ load: WriteLoad, _ commits: GroupCommit, _ told: Notes<Int64>? = nil) {
        commits.submit(
            Waiting(
                load: load, body: { [engine] in engine.append(number) },
                end: { told?.append($0 ? number : -number) }))
    }

    private func once(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let isDone = Atomic(false)
        return { if !isDone.exchange(true, ordering: .relaxed) { body() } }
    }
}

private final class Waiting: WriteRequest {
    let isAlone = false
    let changesNothing = false
    let load: WriteLoad
    private let body: @Sendable () -> Void
    private let end: @Sendable (Bool) -> Void

    init(
        load: WriteLoad, body: @escaping @Sendable () -> Void = {}, end: @escaping @Sendable (Bool) -> Void = { _ in }
    ) {
        (self.load, self.body, self.end) = (load, body, end)
    }

    func run(in _: WriteContext, translating _: (any Error) -> any Error) { body() }
    func refuse(_: any Error) {}
    func answer(_: RuleCursor?) { end(true) }
    func fail(_: any Error) { end(false) }
}
