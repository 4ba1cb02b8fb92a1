import Synchronization
import Testing

@testable import ConsentLinkClient

@Suite struct LineHandoverTests {
    private func batch(_ number: Int) -> LineBatch {
        var batch = LineBatch()
        batch.appendLine { $0 += Array("\(number)".utf8) }
        return batch
    }

    private struct Fault: Error {}

    private final class Flag: Sendable {
        let isSet = Mutex(false)
    }

    @Test("batches come in order, and after the last comes nothing")
    func order() async throws {
        let handover = LineHandover()
        let sending = Task {
            for number in 0..<100 { try await handover.send(batch(number)) }
            handover.finish()
        }
        var count = 0
        while let next = try await handover.next() {
            #expect(next.bytes == batch(count).bytes)
            count += 1
        }
        #expect(count == 100)
        try await sending.value
        #expect(try await handover.next() == nil)
    }

    @Test("a task that reads while another one waits is told so, and the other one gets the batch")
    func twoReaders() async throws {
        let (handover, executor) = (LineHandover(), InlineExecutor())
        // It waits when the task is made.
        let first = Task(executorPreference: executor) { try await handover.next()?.bytes }
        await #expect(throws: ConsentLinkError.self) { _ = try await handover.next() }
        let sending = Task { try await handover.send(batch(1)) }
        #expect(try await first.value == batch(1).bytes)
        sending.cancel()
        _ = await sending.result
    }

    @Test("what was sent is read when the reader comes back, and not before")
    func acknowledged() async throws {
        let handover = LineHandover()
        let first = Task { try await handover.send(batch(1)) }
        _ = try await handover.next()
        // Were the sender told by now, it could not be cancelled any more.
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
    }

    @Test("a sender is told when the reader comes back, whichever of them came first", arguments: [true, false])
    func told(readerIsFirst: Bool) async throws {
        let (handover, executor) = (LineHandover(), InlineExecutor())
        let one = batch(1)
        let told = Flag()
        let beginReading: @Sendable () -> Task<Int?, any Error> = {
            Task(executorPreference: executor) { try await handover.next()?.count }
        }
        let beginSending: @Sendable () -> Task<Void, any Error> = {
            Task(executorPreference: executor) {
                try await handover.send(one)
                told.isSet.withLock { $0 = true }
            }
        }
        let early = readerIsFirst ? beginReading() : nil
        let sending = beginSending()
        let reading = early ?? beginReading()
        #expect(try await reading.value == 1)
        #expect(!told.isSet.withLock { $0 })
        let back = beginReading()
        try await sending.value
        #expect(told.isSet.withLock { $0 })
        handover.finish()
        #expect(try await back.value == nil)
    }

    @Test("an error comes behind what was sent")
    func failed() async throws {
        let handover = LineHandover()
        let sending = Task {
            try await handover.send(batch(1))
            handover.finish(Fault())
        }
        #expect(try await handover.next()?.count == 1)
        await #expect(throws: Fault.self) { _ = try await handover.next() }
        try await sending.value
        await #expect(throws: CancellationError.self) { try await handover.send(batch(2)) }
    }

    @Test("a reader that is cancelled waits no longer")
    func cancelledReader() async throws {
        let handover = LineHandover()
        let reading = Task { try await handover.next() }
        reading.cancel()
        await #expect(throws: CancellationError.self) { _ = try await reading.value }
    }
}
