import Counting
import Dispatch
import Interactions
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import Redirect

@Suite struct SpoolBufferTests {
    /// Somebody who waits for their click on an event loop.
    final class Reader: SpoolWaiter, Sendable {
        private let told = Mutex<[SpoolOutcome]>([])
        private let loop: any EventLoop

        init(on loop: any EventLoop) { self.loop = loop }

        var outcomes: [SpoolOutcome] { told.withLock { $0 } }

        func spooled(_ outcome: SpoolOutcome) {
            #expect(loop.inEventLoop)
            told.withLock { $0.append(outcome) }
        }
    }

    /// A buffer on a real event loop.
    struct Bench: Sendable {
        let loop: any EventLoop
        let writer: SpoolWriter
        private let buffer: NIOLoopBound<SpoolBuffer>

        init(_ spool: FakeSpool, on loop: any EventLoop) async throws {
            self.loop = loop
            let writer = SpoolWriter(spool: spool, onCommit: { _ in }, report: { _ in })
            self.writer = writer
            buffer = try await loop.submit { NIOLoopBound(SpoolBuffer(loop: loop, writer: writer), eventLoop: loop) }
                .get()
        }

        /// The clicks of `readers`, all in one turn of the loop.
        func click(_ readers: Reader...) async throws {
            let click = try Occurrence.click()
            try await loop.submit {
                for reader in readers { buffer.value.append(click, for: reader) }
            }.get()
        }

        /// A report of an app, and a reader's click in the same turn of the loop.
        func report(_ app: Reader, and reader: Reader) async throws {
            let click = try Occurrence.click()
            try await loop.submit {
                buffer.value.append(report: click, for: app)
                buffer.value.append(click, for: reader)
            }.get()
        }

        func counters() async throws -> RedirectCounters { try await loop.submit { buffer.value.counters }.get() }

        func readers(_ count: Int) -> [Reader] { (0..<count).map { _ in Reader(on: loop) } }
    }

    private let spool = FakeSpool()

    private func withBench(_ body: (Bench) async throws -> Void) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        try await withCleanUp {
            try await body(try await Bench(spool, on: group.next()))
        } cleanUp: {
            spool.isStuck = false
            try await group.shutdownGracefully()
        }
    }

    @Test("the clicks of one turn of the loop go into one commit, and each reader is told once")
    func oneTurn() async throws {
        try await withBench { bench in
            let readers = bench.readers(3)
            try await bench.click(readers[0], readers[1], readers[2])
            #expect(await eventually { readers.allSatisfy { $0.outcomes == [.recorded] } })
            #expect(spool.commits == [3])
        }
    }

    @Test("no caller gets an answer before the commit, and each gets its own")
    func waits() async throws {
        try await withBench { bench in
            let readers = bench.readers(2)
            spool.isStuck = true
            try await bench.click(readers[0])
            #expect(await eventually { spool.isAppending })
            try await bench.click(readers[1])
            try await Task.sleep(for: .milliseconds(30))
            #expect(readers.allSatisfy { $0.outcomes.isEmpty })
            spool.isStuck = false
            #expect(await eventually { readers.allSatisfy { $0.outcomes == [.recorded] } })
            #expect(spool.commits == [1, 1])
        }
    }

    @Test("a failed commit is told as such")
    func failure() async throws {
        try await withBench { bench in
            let readers = bench.readers(2)
            spool.isBroken = true
            try await bench.click(readers[0])
            #expect(await eventually { readers[0].outcomes == [.unrecorded(.failed)] })
            spool.isBroken = false
            try await bench.click(readers[1])
            #expect(await eventually { readers[1].outcomes == [.recorded] })
        }
    }

    @Test("a click that is turned away does not send on a reader whose own click is not durable yet")
    func turnedAway() async throws {
        try await withBench { bench in
            let readers = bench.readers(2)
            spool.isStuck = true
            try await bench.click(readers[0])
            #expect(await eventually { spool.isAppending })
            bench.writer.submit(Array(repeating: try .click(), count: 200_000)) { _ in }
            try await bench.click(readers[1])
            #expect(await eventually { readers.contains { !$0.outcomes.isEmpty } })
            #expect(readers[0].outcomes.isEmpty, "record, then redirect")
            #expect(readers[1].outcomes == [.unrecorded(.overloaded)])
            spool.isStuck = false
            #expect(await eventually { readers[0].outcomes == [.recorded] })
            #expect(readers[1].outcomes == [.unrecorded(.overloaded)])
        }
    }

    @Test("a reader waits three seconds for a stuck disk, whether or not another waited before, and is told once")
    func timeout() async throws {
        try await withBench { bench in
            let readers = bench.readers(3)
            spool.isStuck = true
            let start = ContinuousClock.now
            try await bench.click(readers[0])
            #expect(await eventually { spool.isAppending })
            try await Task.sleep(for: .milliseconds(500))
            try await bench.click(readers[1])
            #expect(await eventually { !readers[0].outcomes.isEmpty })
            #expect(ContinuousClock.now - start >= .seconds(2.9))
            #expect(await eventually { !readers[1].outcomes.isEmpty })
            #expect(readers[0].outcomes == [.unrecorded(.stuck)])
            #expect(readers[1].outcomes == [.unrecorded(.stuck)])
            spool.isStuck = false
            try await bench.click(readers[2])
            #expect(await eventually { readers[2].outcomes == [.recorded] })
            #expect(readers[0].outcomes.count == 1)
            #expect(readers[1].outcomes.count == 1)
        }
    }

    @Test("an app waits for a stuck disk as long as that takes, and its report is counted as no click")
    func apps() async throws {
        try await withBench { bench in
            let (app, reader) = (Reader(on: bench.loop), Reader(on: bench.loop))
            spool.isStuck = true
            try await bench.report(app, and: reader)
            #expect(await eventually { reader.outcomes == [.unrecorded(.stuck)] })
            #expect(app.outcomes.isEmpty)
            spool.isStuck = false
            #expect(await eventually { app.outcomes == [.recorded] })
            #expect(reader.outcomes.count == 1)
            let counters = try await bench.counters()
            #expect(counters.late[0] == 1 && counters.spooled[0] == 1)
            spool.isBroken = true
            let others = bench.readers(2)
            try await bench.report(others[0], and: others[1])
            #expect(await eventually { others.allSatisfy { $0.outcomes == [.unrecorded(.failed)] } })
            #expect(counters.unrecorded[.failed] == 1)
        }
    }

    @Test("looking after the disk costs one timer, not one for every click")
    func timers() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = CountingLoop(group.next())
        let bench = try await Bench(spool, on: loop)
        for _ in 0..<50 {
            let reader = Reader(on: loop)
            try await bench.click(reader)
            #expect(await eventually { reader.outcomes == [.recorded] })
        }
        #expect(loop.scheduled <= 2)
        try await group.shutdownGracefully()
    }
}

/// A real event loop that counts how often something is scheduled on it.
final class CountingLoop: EventLoop {
    private let loop: any EventLoop
    private let count = Atomic<Int>(0)

    init(_ loop: any EventLoop) { self.loop = loop }

    var scheduled: Int { count.load(ordering: .relaxed) }
    var inEventLoop: Bool { loop.inEventLoop }

    func execute(_ task: @escaping @Sendable () -> Void) { loop.execute(task) }

    func submit<T>(_ task: @escaping @Sendable () throws -> T) -> EventLoopFuture<T> {
        let promise = makePromise(of: T.self)
        execute { promise.assumeIsolated().completeWith(Result { try task() }) }
        return promise.futureResult
    }

    func scheduleTask<T>(deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        count.add(1, ordering: .relaxed)
        return loop.scheduleTask(deadline: deadline, task)
    }

    func scheduleTask<T>(in delay: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        count.add(1, ordering: .relaxed)
        return loop.scheduleTask(in: delay, task)
    }

    func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        callback(nil)
    }
}
