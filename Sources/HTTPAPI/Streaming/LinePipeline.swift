import Hummingbird
import NIOCore
import UseCases

/// Answers the lines of a request with lines, in order, while more of them arrive (`application/x-ndjson` both ways).
///
/// Four stages work at the same time: one reads what arrives, one makes sense of it and asks what must be known for it,
/// one gets it stored, one writes the answers. Each waits for the next, so memory does not grow with the stream and a
/// client that does not read is not read from. A batch is what has arrived by the time it is begun: a lone line does not
/// wait for company.
struct LinePipeline: Sendable {
    /// The answers to some lines of a batch: a line for each of them.
    typealias Answer = @Sendable (Range<Int>) throws -> [UInt8]
    /// Gets a batch stored. What its answer tells is durable on return.
    typealias Storing = @Sendable () async throws -> Answer

    /// Pieces that may wait to be cut into lines.
    private static let piecesAhead = 64

    /// How many lines are a batch at most. No more than two batches are stored and not yet given to the connection.
    let linesAtOnce: Int
    /// How many lines are answered in one piece. A buffer of more than some hundred kilobytes comes from the system and
    /// goes back to it, page by page, which costs more than all that is written into it.
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

    /// How long a client has to receive that its key is no more before its connection is closed.
    private static let graceAfterRefusal = TimeAmount.seconds(2)

    /// Ends after the answer to the last line, or after those to the lines before the caller's key was deleted.
    /// - Parameter splitter: may hold what was read of the body before.
    /// - Throws: when the connection breaks off, and 401 when the key is no more. What was stored by then stays.
    func run(
        _ body: ArrivingBody, _ splitter: LineSplitter, to writer: inout any ResponseBodyWriter
    ) async throws {
        let pieces = BackpressureChannel<ByteBuffer>(backlog: Self.piecesAhead)
        let understood = BackpressureChannel<Batch<Storing>>(backlog: 0)
        let answers = BackpressureChannel<Batch<Answer>>(backlog: 0)
        let stopAll: @Sendable (any Error) -> Void = { error in
            pieces.fail(error)
            understood.fail(error)
            answers.fail(error)
        }
        try await withThrowingTaskGroup(of: Void.self) { stages in
            stages.addTask { try await stoppingAll(stopAll) { try await read(body, pieces) } }
            stages.addTask { try await stoppingAll(stopAll) { try await cut(pieces, of: body, splitter, understood) } }
            stages.addTask { try await stoppingAll(stopAll) { try await store(understood, answers) } }
            do {
                while let ready = try await answers.take() {
                    for batch in ready { try await write(batch, to: &writer) }
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

    private func write(_ batch: Batch<Answer>, to writer: inout any ResponseBodyWriter) async throws {
        for start in stride(from: 0, to: batch.count, by: linesInPiece) {
            let lines = start..<min(start + linesInPiece, batch.count)
            let answer = ByteBuffer(bytes: try batch.step(lines))
            let length = answer.readableBytes
            try await writer.write(answer)
            underway?.wrote(lines.count, bytes: length)
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
        _ understood: BackpressureChannel<Batch<Storing>>
    ) async throws {
        var batcher = LineBatcher(linesAtOnce: linesAtOnce, first)
        try await giveBatches(from: &batcher, to: understood)
        while let arrived = try await pieces.take() {
            for piece in arrived { batcher.append(piece.readableBytesView) }
            try await giveBatches(from: &batcher, to: understood)
            try body.hold(batcher.heldCount)
        }
        if let lines = batcher.last() { try await give(lines, to: understood) }
        understood.finish()
    }

    private func giveBatches(from batcher: inout LineBatcher, to understood: BackpressureChannel<Batch<Storing>>)
        async throws
    {
        while let lines = batcher.next() { try await give(lines, to: understood) }
    }

    private func give(_ lines: [LineSplitter.Line], to understood: BackpressureChannel<Batch<Storing>>) async throws {
        try await understood.give(Batch(count: lines.count, step: try await understand(lines)))
    }

    private func store(_ understood: BackpressureChannel<Batch<Storing>>, _ answers: BackpressureChannel<Batch<Answer>>)
        async throws
    {
        while let ready = try await understood.take() {
            for batch in ready {
                try await underway?.admit(batch.count)
                // The answers before this are with the connection already.
                try await access.check()
                try await answers.give(Batch(count: batch.count, step: try await batch.step()))
            }
        }
        answers.finish()
    }
}
