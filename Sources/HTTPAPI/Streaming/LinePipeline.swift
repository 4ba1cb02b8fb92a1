import Hummingbird
import JSON
import NIOCore
import UseCases

/// Answers the lines of a request with lines, in order, while more of them arrive (`application/x-ndjson` both ways).
///
/// Four stages work at the same time: one reads bytes, one parses lines and looks up what they need, one stores, one
/// writes the answers. Each waits for the next, so memory does not grow with the stream, and no more is read from a
/// client that does not read its answers. A batch has the lines that have arrived when it begins: a single line does
/// not wait for others.
struct LinePipeline: Sendable {
    /// Writes the answers to some lines of a batch: a line for each of them.
    typealias Answer = @Sendable (Range<Int>, inout JSONWriter) throws -> Void
    /// Stores a batch. On return, everything that its answer reports is durable.
    typealias Storing = @Sendable () async throws -> Answer

    /// How many pieces may wait to be cut into lines.
    private static let piecesAhead = 64
    /// In bytes: how much is given to the connection's event loop before the pipeline checks whether the client reads.
    private static let bytesAhead = 1 << 20
    /// How long a check of the caller's access is valid.
    private static let accessAge = Duration.milliseconds(100)

    /// The most lines of a batch. At most two batches are stored and not yet given to the connection.
    let linesAtOnce: Int
    /// How many lines are answered in one piece. Each piece wakes the connection's event loop and the client.
    let linesInPiece: Int
    /// Checked before each batch is stored: a stream may last longer than its key.
    let validity: CallerValidity
    /// The connection to the client.
    let channel: any Channel
    /// Limits how far storing may be ahead of the client; if `nil`, only the number of batches limits it.
    var underway: LinesInFlight?
    /// Parses a batch without storing anything. The previous batch may not be stored yet.
    let understand: @Sendable ([LineSplitter.Line]) async throws -> Storing

    /// A batch on its way from stage to stage.
    private struct Batch<Step: Sendable>: Sendable {
        let count: Int
        let step: Step
    }

    /// A batch for which the window has room.
    private struct Admitted: Sendable {
        let batch: Batch<Storing>
        /// The time of the last successful check of access, or why it failed. It is used once the previous batch is
        /// answered.
        let access: Result<ContinuousClock.Instant, any Error>
    }

    /// How long a client may take to receive that its key was deleted, before its connection is closed.
    private static let graceAfterRefusal = TimeAmount.seconds(2)

    /// Returns after the answer to the last line, or to the last line before the caller's key was deleted.
    /// - Parameter splitter: may hold bytes of the body that were read before.
    /// - Throws: if the connection breaks off, and 401 if the key was deleted. What was stored by then remains.
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
                var buffers = ResponseBuffers()
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

    /// Closes the connection soon: the rest of a body that is not read any more may have no end.
    private func closeSoon() {
        channel.eventLoop.scheduleTask(in: Self.graceAfterRefusal) { [channel] in channel.close(promise: nil) }
    }

    private func write(
        _ batch: Batch<Answer>, by buffers: inout ResponseBuffers, to writer: inout any ResponseBodyWriter
    ) async throws {
        for start in stride(from: 0, to: batch.count, by: linesInPiece) {
            let lines = start..<min(start + linesInPiece, batch.count)
            try batch.step(lines, &buffers.lines)
            let answer = buffers.takeLines()
            let length = answer.readableBytes
            try await writer.write(answer)
            underway?.wrote(lines.count, bytes: length)
            // Only after this does the writer know whether the client is behind, and wait for it.
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
            // Bytes that arrived while the previous batch was stored make the next one larger.
            while let lines = batcher.next(more: { pieces.takeWaiting().map(\.readableBytesView) }) {
                try await give(lines, to: admitted)
            }
            try body.hold(batcher.heldCount)
            arrived = try await pieces.take()
        }
        if let lines = batcher.last() { try await give(lines, to: admitted) }
        admitted.finish()
    }

    /// Returns once the previous batch is stored.
    private func give(_ lines: [LineSplitter.Line], to admitted: BackpressureChannel<Admitted>) async throws {
        let batch = Batch(count: lines.count, step: try await understand(lines))
        try await underway?.admit(lines.count)
        try await admitted.give(Admitted(batch: batch, access: await checkedAccess))
    }

    private var checkedAccess: Result<ContinuousClock.Instant, any Error> {
        get async {
            do {
                try await validity.check()
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
                // The connection has the earlier answers already.
                let checked = try next.access.get()
                // The batch may have waited because the client did not read.
                if checked.duration(to: .now) > Self.accessAge { try await validity.check() }
                try await answers.give(Batch(count: next.batch.count, step: try await next.batch.step()))
            }
        }
        answers.finish()
    }
}
