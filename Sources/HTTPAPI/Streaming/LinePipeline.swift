import Hummingbird
import JSON
import NIOCore
import UseCases

/// Answers the lines of a request with lines, in order, while more of them arrive (`application/x-ndjson` both ways).
///
/// Four stages work at the same time: one reads what arrives, one makes sense of it and asks what must be known for it,
/// one gets it stored, one writes the answers. Each waits for the next, so memory does not grow with the stream and a
/// client that does not read is not read from. A batch is what has arrived by the time it is begun: a lone line does not
/// wait for company.
struct LinePipeline: Sendable {
    /// Writes the answers to some lines of a batch: a line for each of them.
    typealias Answer = @Sendable (Range<Int>, inout JSONWriter) throws -> Void
    /// Gets a batch stored. What its answer tells is durable on return.
    typealias Storing = @Sendable () async throws -> Answer

    /// Pieces that may wait to be cut into lines.
    private static let piecesAhead = 64
    /// In bytes, of what is given to the connection's event loop before it has looked whether the client takes it.
    private static let bytesAhead = 1 << 20
    /// How long it counts that the caller's access was looked up.
    private static let accessAge = Duration.milliseconds(100)

    /// How many lines are a batch at most. No more than two batches are stored and not yet given to the connection.
    let linesAtOnce: Int
    /// How many lines are answered in one piece. Each piece wakes the connection's event loop and the client.
    let linesInPiece: Int
    /// Asked before each batch is stored: a stream may last longer than the key that opened it.
    let access: OngoingAccess
    /// To the client.
    let channel: any Channel
    /// Keeps what is stored from running ahead of the client; without it, batches alone do.
    var underway: LinesInFlight?
    /// Makes sense of a batch, without storing anything. The batch before it may not be stored yet.
    let understand: @Sendable ([LineSplitter.Line]) async throws -> Storing

    /// A batch on its way from stage to stage.
    private struct Batch<Step: Sendable>: Sendable {
        let count: Int
        let step: Step
    }

    /// A batch that the window has room for.
    private struct Admitted: Sendable {
        let batch: Batch<Storing>
        /// Since when it is known that the caller may go on, or why not. It counts once the batch before is answered.
        let access: Result<ContinuousClock.Instant, any Error>
    }

    /// How long a client has to receive that its key is no more before its connection is closed.
    private static let graceAfterRefusal = TimeAmount.seconds(2)

    /// Ends after the answer to the last line, or after those to the lines before the caller's key was deleted.
    /// - Parameter splitter: may hold what was read of the body before.
    /// - Throws: when the connection breaks off, and 401 when the key is no more. What was stored by then stays.
    func run(
        _ body: ArrivingBody, _ splitter: LineSplitter, to writer: inout any ResponseBodyWriter
    ) async throws {
        let pieces = BackpressureChannel<ByteBuffer>(backlog: Self.piecesAhead)
        let admitted = BackpressureChannel<Admitted>(backlog: 0)
        let answers = BackpressureChannel<Batch<Answer>>(backlog: 0)
        let stopAll: @Sendable (any Error) -> Void = { error in
            pieces.fail(error)
            admitted.fail(error)
            answers.fail(error)
        }
        try await withThrowingTaskGroup(of: Void.self) { stages in
            stages.addTask { try await stoppingAll(stopAll) { try await read(body, pieces) } }
            stages.addTask { try await stoppingAll(stopAll) { try await cut(pieces, of: body, splitter, admitted) } }
            stages.addTask { try await stoppingAll(stopAll) { try await store(admitted, answers) } }
            do {
                var buffers = AnswerBuffers()
                while let ready = try await answers.take() {
                    for batch in ready { try await write(batch, by: &buffers, to: &writer) }
                }
                try await stages.waitForAll()
            } catch {
                stopAll(error)
                stages.cancelAll()
                if error is Problem || error is RequestRefusal { closeSoon() }
                throw error
            }
        }
    }

    /// The rest of a body that nobody reads any more may have no end.
    private func closeSoon() {
        channel.eventLoop.scheduleTask(in: Self.graceAfterRefusal) { [channel] in channel.close(promise: nil) }
    }

    private func write(
        _ batch: Batch<Answer>, by buffers: inout AnswerBuffers, to writer: inout any ResponseBodyWriter
    ) async throws {
        for start in stride(from: 0, to: batch.count, by: linesInPiece) {
            let lines = start..<min(start + linesInPiece, batch.count)
            try batch.step(lines, &buffers.lines)
            let answer = buffers.takeLines()
            let length = answer.readableBytes
            try await writer.write(answer)
            underway?.wrote(lines.count, bytes: length)
            // Only then does the writer know whether the client is behind, and waits for it.
            if buffers.hasTaken(Self.bytesAhead) { try await channel.eventLoop.submit {}.get() }
        }
    }

    private func stoppingAll(
        _ stopAll: @Sendable (any Error) -> Void, _ stage: @Sendable () async throws -> Void
    ) async throws {
        do {
            try await stage()
        } catch {
            stopAll(error)
            throw error
        }
    }

    private func read(_ body: ArrivingBody, _ pieces: BackpressureChannel<ByteBuffer>) async throws {
        while let piece = try await body.next() { try await pieces.give(piece) }
        pieces.finish()
    }

    private func cut(
        _ pieces: BackpressureChannel<ByteBuffer>, of body: ArrivingBody, _ first: LineSplitter,
        _ admitted: BackpressureChannel<Admitted>
    ) async throws {
        var batcher = LineBatcher(linesAtOnce: linesAtOnce, first)
        var arrived: [ByteBuffer]? = []
        while let some = arrived {
            for piece in some { batcher.append(piece.readableBytesView) }
            // What has come while the batch before was stored makes the next one larger.
            while let lines = batcher.next(more: { pieces.takeWaiting().map(\.readableBytesView) }) {
                try await give(lines, to: admitted)
            }
            try body.hold(batcher.heldCount)
            arrived = try await pieces.take()
        }
        if let lines = batcher.last() { try await give(lines, to: admitted) }
        admitted.finish()
    }

    /// Returns once the batch before is stored.
    private func give(_ lines: [LineSplitter.Line], to admitted: BackpressureChannel<Admitted>) async throws {
        let batch = Batch(count: lines.count, step: try await understand(lines))
        try await underway?.admit(lines.count)
        try await admitted.give(Admitted(batch: batch, access: await checkedAccess))
    }

    private var checkedAccess: Result<ContinuousClock.Instant, any Error> {
        get async {
            do {
                try await access.check()
                return .success(.now)
            } catch {
                return .failure(error)
            }
        }
    }

    private func store(_ admitted: BackpressureChannel<Admitted>, _ answers: BackpressureChannel<Batch<Answer>>)
        async throws
    {
        while let ready = try await admitted.take() {
            for next in ready {
                // The answers before this are with the connection already.
                let checked = try next.access.get()
                // The client kept it waiting.
                if checked.duration(to: .now) > Self.accessAge { try await access.check() }
                try await answers.give(Batch(count: next.batch.count, step: try await next.batch.step()))
            }
        }
        answers.finish()
    }
}
