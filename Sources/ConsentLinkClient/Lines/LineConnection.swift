import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// One request that sends lines, and its answer.
struct LineConnection: Sendable {
    let exchange: LineExchange
    let deliver: LineExchange.Delivery
    /// Whether the head of the answer came.
    private let begun = Flag()
    /// While an answer is delivered, the time without further answers does not count.
    private let delivering = Flag()

    /// How many checks found that no answer was due.
    private let idle = Count()

    private static let messageHeader = "ConsentLink-Message"
    private static let unsupportedMembersHeader = "ConsentLink-Unsupported-Members"
    /// Request Timeout: a proxy waited for lines and got none. Too Many Requests.
    private static let temporary: Set = [408, 429]
    private static let watchEvery = Duration.milliseconds(500)

    init(exchange: LineExchange, deliver: @escaping LineExchange.Delivery) {
        self.exchange = exchange
        self.deliver = deliver
    }

    /// How long no answer was due. This time does not count against `patience`.
    var idleTime: Duration { Self.watchEvery * idle.value }

    /// Whether lines that were sent and not answered may have been carried out. A refusal of the whole request with a
    /// status below 500 changed nothing, and without a connection nothing was sent.
    func leavesDoubt(_ end: ConnectionEnd) -> Bool {
        switch end {
        case .done: false
        case .broken(let error, _): begun.isSet || error.mayHaveBeenDone
        case .failed(let error): begun.isSet || (error as? ConsentLinkError)?.mayHaveBeenDone ?? true
        }
    }

    func run() async -> ConnectionEnd {
        await withTaskGroup(of: ConnectionEnd?.self) { tasks in
            tasks.addTask { await talk() }
            tasks.addTask {
                await waitForSilence()
                return nil
            }
            var isSilent = false
            while let ended = await tasks.next() {
                tasks.cancelAll()
                guard let end = ended else {
                    isSilent = true
                    continue
                }
                // The cancellation came from this function, not from outside.
                guard isSilent, !Task.isCancelled, case .failed(let error) = end, error is CancellationError else {
                    return end
                }
                return .broken(.unreachable(reason: ConnectionWords.silent), isTemporary: false)
            }
            return .failed(CancellationError())
        }
    }

    private func talk() async -> ConnectionEnd {
        do {
            return try await answers()
        } catch let failure as DeliveryFailure {
            return .failed(failure.error)
        } catch let error as ConsentLinkError {
            return Self.end(error)
        } catch {
            guard !Task.isCancelled else { return .failed(CancellationError()) }
            return .broken(ConsentLinkError(connection: error), isTemporary: false)
        }
    }

    private static func end(_ error: ConsentLinkError) -> ConnectionEnd {
        guard case .refused(let problem) = error, problem.status >= 500 || temporary.contains(problem.status) else {
            return .failed(error)
        }
        return .broken(error, isTemporary: true)
    }

    private func answers() async throws -> ConnectionEnd {
        let window = exchange.window
        let lines = OutgoingLines(order: exchange.order, window: window, connection: window.begin())
        let response = try await exchange.transport.exchange(
            exchange.path, OutgoingBody(lines), patience: exchange.silence)
        guard response.status == .ok else {
            throw ConsentLinkError.refused(
                try await exchange.transport.problem(response, patience: exchange.silence))
        }
        try response.mustBe(APIRequest.lines)
        begun.set(true)
        exchange.record.take(
            ExchangeRecord.TakenOrder(
                message: response.headers.first(name: Self.messageHeader),
                unsupportedMembers: response.headers[canonicalForm: Self.unsupportedMembersHeader].map(String.init)))
        var splitter = LineSplitter()
        for try await piece in response.body {
            let batch = try Self.cut(piece, &splitter)
            try requireAnswers(batch)
            let ending = Self.ending(of: batch)
            let answered = ending.map { batch[0..<$0.index] } ?? batch
            // More answers than unanswered lines: an error.
            guard window.isWaiting(forAnswers: answered.count) else {
                throw ConsentLinkError.unexpectedAnswer("the service answers more lines than it was sent")
            }
            try await handOn(answered)
            _ = window.answer(answered.count)
            if let ending { throw ConsentLinkError.refused(ending.problem) }
        }
        guard window.isDone else {
            // A body ends without an error if its reader is cancelled.
            try Task.checkCancellation()
            return .broken(.unreachable(reason: "the answer ended too early"), isTemporary: false)
        }
        return .done
    }

    private func requireAnswers(_ batch: LineBatch) throws(ConsentLinkError) {
        for index in 0..<batch.count {
            guard AnsweredLine.isAnswer(batch.line(at: index), beginning: exchange.beginning) else {
                throw .unexpectedAnswer("a line of it is no answer to a line that was sent")
            }
        }
    }

    private static func ending(of batch: LineBatch) -> (index: Int, problem: Problem)? {
        for index in 0..<batch.count {
            if let problem = AnsweredLine.ending(batch.line(at: index)) { return (index, problem) }
        }
        return nil
    }

    private static func cut(_ piece: ByteBuffer, _ splitter: inout LineSplitter) throws -> LineBatch {
        do throws(LineSplitter.LineTooLong) {
            return try piece.withUnsafeReadableBytes { bytes throws(LineSplitter.LineTooLong) in
                try splitter.read(bytes)
            }
        } catch {
            throw ConsentLinkError.unexpectedAnswer("the service answers with a line that does not end")
        }
    }

    private func handOn(_ batch: LineBatch) async throws {
        guard !batch.isEmpty else { return }
        delivering.set(true)
        defer { delivering.set(false) }
        do { try await deliver(batch) } catch { throw DeliveryFailure(error: error) }
    }

    /// Returns if an answer was due and none came for too long. It counts its checks, not the time: a process that was
    /// suspended has not waited for the service.
    private func waitForSilence() async {
        var (answered, waited) = (exchange.window.answeredCount, Duration.zero)
        while waited < exchange.silence {
            guard (try? await Task.sleep(for: Self.watchEvery)) != nil else { return }
            let (count, isDue) = (exchange.window.answeredCount, self.isDue)
            waited = count > answered || !isDue ? .zero : waited + Self.watchEvery
            if !isDue { idle.increase() }
            answered = count
        }
    }

    /// Whether an answer is due: the head of the answer, an answer to a line, or, once every line is answered, the end
    /// of the body. An answer whose end does not arrive counts as whole.
    private var isDue: Bool {
        let window = exchange.window
        return !delivering.isSet && (!begun.isSet || window.isWaitingForAnswers || window.isDone)
    }
}

/// The error that the receiver of answers threw.
private struct DeliveryFailure: Error {
    let error: any Error
}

private final class Flag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set(_ value: Bool) { flag.store(value, ordering: .relaxed) }
}

private final class Count: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func increase() { count.add(1, ordering: .relaxed) }
}
