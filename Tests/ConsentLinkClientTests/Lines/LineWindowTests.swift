import NIOCore
import Testing

@testable import ConsentLinkClient

@Suite struct LineWindowTests {
    private func batch(_ numbers: Range<Int>, padding: Int = 0) -> LineBatch {
        var batch = LineBatch()
        let filling = [UInt8](repeating: UInt8(ascii: " "), count: padding)
        for number in numbers { batch.appendLine { $0 += Array("\(number)".utf8) + filling } }
        return batch
    }

    private func lines(_ batch: LineBatch?) -> [String] {
        String(decoding: batch?.bytes ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func names(_ numbers: Range<Int>) -> [String] { numbers.map { "\($0)" } }

    @Test("what is given is taken, in order, and after the end comes nothing")
    func order() async throws {
        let window = LineWindow()
        let connection = window.begin()
        try await window.give(batch(0..<2))
        #expect(lines(try await window.take(on: connection)) == ["0", "1"])
        try await window.give(batch(2..<3))
        #expect(window.isWaitingForAnswers)
        #expect(lines(try await window.take(on: connection)) == ["2"])
        window.end()
        #expect(try await window.take(on: connection) == nil)
        #expect(!window.isDone, "nothing is answered")
        #expect(window.answer(3))
        #expect(window.isDone)
        #expect(window.answeredCount == 3)
        #expect(!window.isWaitingForAnswers)
    }

    @Test("an end without lines is an end")
    func empty() async throws {
        let window = LineWindow()
        let connection = window.begin()
        window.end()
        #expect(window.isDone)
        #expect(try await window.take(on: connection) == nil)
    }

    @Test("no more than a thousand lines are sent and not answered")
    func unanswered() async throws {
        let window = LineWindow()
        let connection = window.begin()
        try await window.give(batch(0..<3000))
        #expect(lines(try await window.take(on: connection)) == names(0..<1000))
        async let next = window.take(on: connection)
        // 249 answers make no room that is worth a sending; one more does.
        #expect(window.answer(249))
        #expect(window.answer(1))
        #expect(lines(try await next) == names(1000..<1250))
        #expect(window.answer(1000))
        #expect(lines(try await window.take(on: connection)) == names(1250..<2250))
    }

    @Test("more answers than lines were sent are no answers")
    func tooMany() async throws {
        let window = LineWindow()
        let connection = window.begin()
        try await window.give(batch(0..<2))
        #expect(!window.answer(1), "nothing was sent")
        _ = try await window.take(on: connection)
        #expect(!window.answer(3))
        #expect(window.answer(2))
        #expect(!window.answer(1))
        #expect(window.answeredCount == 2)
    }

    @Test("what was not answered on one connection is sent on the next, and no line twice")
    func again() async throws {
        let window = LineWindow()
        let first = window.begin()
        try await window.give(batch(0..<5))
        window.end()
        #expect(lines(try await window.take(on: first)) == names(0..<5))
        #expect(window.answer(2))
        let second = window.begin()
        #expect(!window.isWaitingForAnswers)
        await #expect(throws: CancellationError.self) { try await window.take(on: first) }
        #expect(lines(try await window.take(on: second)) == names(2..<5))
        #expect(window.answer(3))
        #expect(window.isDone)
    }

    @Test("who waits on a connection that was given up is told so")
    func givenUp() async throws {
        let window = LineWindow()
        let first = window.begin()
        let waiting = Task { try await window.take(on: first) }
        let second = window.begin()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        window.end()
        #expect(try await window.take(on: second) == nil)
    }

    @Test("a window that is closed holds nothing, and tells so who takes")
    func closed() async throws {
        let window = LineWindow()
        let connection = window.begin()
        try await window.give(batch(0..<1500))
        #expect(lines(try await window.take(on: connection)).count == 1000)
        #expect(window.answer(7))
        let taking = Task { try await window.take(on: connection) }
        await Task.yield()
        window.close()
        await #expect(throws: CancellationError.self) { try await taking.value }
        await #expect(throws: CancellationError.self) { try await window.take(on: window.begin()) }
        window.end()
        window.close()
        #expect(!window.isDone, "not everything was answered")
        #expect(!window.isWaitingForAnswers && !window.answer(1))
        #expect(window.answeredCount == 7)
        let giving = Task { try await window.give(batch(0..<1)) }
        await Task.yield()
        giving.cancel()
        await #expect(throws: CancellationError.self) { try await giving.value }
    }

    @Test("a window that is closed when everything is answered stays done")
    func closedWhenDone() async throws {
        let window = LineWindow()
        let connection = window.begin()
        try await window.give(batch(0..<3))
        window.end()
        _ = try await window.take(on: connection)
        #expect(window.answer(3))
        window.close()
        #expect(window.isDone && window.answeredCount == 3)
    }

    @Test("a task that is woken can ask the window at once")
    func wokenAtOnce() async throws {
        let (window, executor) = (LineWindow(), InlineExecutor())
        let first = window.begin()
        let givenUp = Task(executorPreference: executor) {
            do { return try await window.take(on: first)?.count } catch { return window.answeredCount }
        }
        let connection = window.begin()
        #expect(await givenUp.value == 0)
        let taking = Task(executorPreference: executor) {
            var counts: [Int] = []
            while let batch = try await window.take(on: connection) {
                #expect(window.isWaitingForAnswers)
                counts.append(batch.count)
            }
            #expect(!window.isWaitingForAnswers)
            return counts
        }
        try await window.give(batch(0..<3000))
        for _ in 1...3 { #expect(window.answer(1000)) }
        window.end()
        #expect(try await taking.value == [1000, 1000, 1000])
        #expect(window.isDone)
    }

    @Test("who gives waits while too much is held, in lines and in bytes")
    func room() async throws {
        for (lines, padding) in [(4001, 0), (100, 20_000)] {
            let window = LineWindow()
            let connection = window.begin()
            let giving = Task { try await window.give(batch(0..<lines, padding: padding)) }
            giving.cancel()
            await #expect(throws: CancellationError.self) { try await giving.value }
            _ = connection
        }
        let window = LineWindow()
        try await window.give(batch(0..<4000))
        let giving = Task { try await window.give(batch(4000..<4001)) }
        let connection = window.begin()
        #expect(lines(try await window.take(on: connection)).count == 1000)
        try await giving.value
    }

    @Test("lines that are answered are let go of, and counted all the same")
    func forgotten() async throws {
        let window = LineWindow()
        let connection = window.begin()
        var taken: [String] = []
        let giving = Task {
            for start in stride(from: 0, to: 20_000, by: 500) { try await window.give(batch(start..<start + 500)) }
            window.end()
        }
        while let batch = try await window.take(on: connection) {
            taken += lines(batch)
            #expect(window.answer(batch.count))
        }
        try await giving.value
        #expect(taken == names(0..<20_000))
        #expect(window.answeredCount == 20_000)
        #expect(window.isDone)
    }

    /// In bytes more is held than in lines, and answers come for few lines at a time.
    @Test(
        "lines of every length go through, however few are answered at a time",
        .timeLimit(.minutes(1)), arguments: [1, 215, 255, 400, 770, 5000], [1, 100, .max])
    func lengths(padding: Int, lump: Int) async throws {
        let (window, count) = (LineWindow(), 6000)
        let connection = window.begin()
        let giving = Task {
            for start in stride(from: 0, to: count, by: 150) {
                try await window.give(batch(start..<start + 150, padding: padding))
            }
            window.end()
        }
        while let batch = try await window.take(on: connection) {
            var rest = batch.count
            while rest > 0 {
                #expect(window.answer(min(lump, rest)))
                rest -= min(lump, rest)
            }
        }
        try await giving.value
        #expect(window.answeredCount == count)
        #expect(window.isDone)
    }

    @Test("a request's body is the order, then the lines")
    func outgoing() async throws {
        let window = LineWindow()
        try await window.give(batch(0..<2))
        window.end()
        var body = ""
        let lines = OutgoingLines(order: Array("{}\n".utf8), window: window, connection: window.begin())
        for try await buffer in lines { body += String(buffer: buffer) }
        #expect(body == "{}\n0\n1\n")
        withExtendedLifetime(window) {}
    }

    @Test(
        "no more than 64 KiB are sent at once, or one line",
        arguments: [(65_534, 1), (65_533, 1), (200_000, 1), (32_765, 2), (32_766, 2), (32_767, 1), (97, 661)])
    func pieces(padding: Int, count: Int) async throws {
        let window = LineWindow()
        let connection = window.begin()
        // Each line is a digit, the padding and a line feed.
        var given = LineBatch()
        for _ in 0..<700 where given.byteCount <= 900_000 { given.append(batch(1..<2, padding: padding)) }
        try await window.give(given)
        window.end()
        var taken = LineBatch()
        while let lines = try await window.take(on: connection) {
            if taken.isEmpty { #expect(lines.count == count) }
            #expect(lines.count == 1 || lines.byteCount <= 65_536)
            taken.append(lines)
            #expect(window.answer(lines.count))
        }
        #expect(taken.bytes == given.bytes)
    }

    @Test("a body does not hold its window")
    func bodyWithoutWindow() async throws {
        let lines = OutgoingLines(order: [], window: LineWindow(), connection: 1)
        await #expect(throws: CancellationError.self) { for try await _ in lines {} }
    }
}
