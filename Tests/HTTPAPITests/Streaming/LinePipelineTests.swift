import HTTPTypes
import Hummingbird
import Identifiers
import JSON
import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import HTTPAPI

/// Requests of lines that are answered with lines, stage by stage.
@Suite struct LinePipelineTests {
    private struct Broken: Error {}

    private let keys = KeysInMemory()
    private let channel = NIOAsyncTestingChannel()
    /// Lines that were stored, in order.
    private let stored = Notes<String>()

    /// A pipeline that stores each line and answers it with itself.
    ///
    /// - Parameters:
    ///   - access: `nil` is that of the key.
    ///   - storing: called before a batch is stored.
    private func pipeline(
        linesAtOnce: Int = 2, linesInPiece: Int = 100, validity: CallerValidity? = nil,
        storing: @escaping @Sendable ([String]) async throws -> Void = { _ in }
    ) -> LinePipeline {
        LinePipeline(
            linesAtOnce: linesAtOnce, linesInPiece: linesInPiece, validity: validity ?? keys.validity, channel: channel
        ) { [stored] lines in
            let texts = lines.map { line in
                if case .text(let bytes) = line { String(decoding: bytes, as: UTF8.self) } else { "too long" }
            }
            return {
                try await storing(texts)
                stored.append(contentsOf: texts)
                return { range, writer in
                    for text in texts[range] {
                        writer.raw(text.utf8)
                        writer.endLine()
                    }
                }
            }
        }
    }

    private func run(
        _ pipeline: LinePipeline, _ body: RequestBody, to writer: any ResponseBodyWriter
    ) async throws {
        let request = Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/"), body: body)
        var writer = writer
        try await pipeline.run(
            ArrivingBody(request, counting: BodyAllowance(BodyBudget(), for: nil, maximum: 1)), LineSplitter(limit: 20),
            to: &writer)
    }

    private func body(_ lines: [String]) -> RequestBody {
        let pieces = lines.map { ByteBuffer(string: $0 + "\n") }
        return RequestBody(asyncSequence: ArrivingPieces(pieces: pieces))
    }

    @Test("every line is answered in its place, whatever the batches and the pieces", arguments: [1, 2, 7], [1, 3])
    func order(_ linesAtOnce: Int, _ linesInPiece: Int) async throws {
        let lines = (0..<40).map { $0 % 9 == 8 ? String(repeating: "x", count: 21) : "line \($0)" }
        let writer = EndingWriter()
        try await run(pipeline(linesAtOnce: linesAtOnce, linesInPiece: linesInPiece), body(lines), to: writer)
        let expected = lines.map { $0.hasPrefix("x") ? "too long" : $0 }
        #expect(writer.text == expected.map { $0 + "\n" }.joined())
        #expect(stored.all == expected)
    }

    @Test("a client that does not read is not read from, and no more than two batches are stored ahead of it")
    func slowClient() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let writer = HeldWriter(gate)
        let (source, feed) = AsyncStream<ByteBuffer>.makeStream()
        let given = Atomic<Int>(0)
        let counted = source.map { piece in
            given.add(1, ordering: .sequentiallyConsistent)
            return piece
        }
        for number in 0..<400 { feed.yield(ByteBuffer(string: "\(number)\n")) }
        feed.finish()
        async let running: Void = run(pipeline(), RequestBody(asyncSequence: counted), to: writer)
        #expect(await eventually { writer.isWriting })
        // Every stage has had its turn many times over.
        for _ in 0..<1000 { await Task.yield() }
        #expect(stored.all.count <= 4 && writer.text.isEmpty)
        // Pieces that wait, and those that became batches on their way.
        let taken = given.load(ordering: .sequentiallyConsistent)
        #expect(taken <= 64 * 2 + 2 * 4)
        open.finish()
        try await running
        #expect(writer.text == (0..<400).map { "\($0)\n" }.joined())
    }

    @Test("when the client is gone nothing more is stored, and no task waits for it")
    func broken() async throws {
        let (source, feed) = AsyncStream<ByteBuffer>.makeStream()
        feed.yield(ByteBuffer(string: "1\n2\n3\n4\n5\n6\n7\n8\n"))
        // The body has no end: only the failure of the writer can end the run.
        await #expect(throws: Broken.self) {
            try await run(pipeline(), RequestBody(asyncSequence: source), to: BrokenWriter(error: Broken()))
        }
        #expect(stored.all.count <= 6)
        feed.finish()
    }

    @Test("a body that breaks off fails the run, and what was answered before stays")
    func cutOff() async throws {
        let (source, feed) = AsyncThrowingStream<ByteBuffer, any Error>.makeStream()
        let writer = EndingWriter { feed.finish(throwing: Broken()) }
        feed.yield(ByteBuffer(string: "1\n2\n"))
        await #expect(throws: Broken.self) { try await run(pipeline(), RequestBody(asyncSequence: source), to: writer) }
        #expect(writer.text == "1\n2\n" && stored.all == ["1", "2"])
    }

    @Test("a failure to store ends the run with it, and the batches behind are not stored")
    func storing() async throws {
        let failing = pipeline { if $0.contains("3") { throw Broken() } }
        await #expect(throws: Broken.self) {
            try await run(failing, body((1...40).map(String.init)), to: EndingWriter())
        }
        #expect(!stored.all.contains("3") && !stored.all.contains("40"))
    }

    @Test("a key that is deleted ends the run before the next batch is stored, and the connection soon after")
    func deleted() async throws {
        let isClosed = Atomic<Bool>(false)
        channel.closeFuture.whenComplete { _ in isClosed.store(true, ordering: .sequentiallyConsistent) }
        let (source, feed) = AsyncStream<ByteBuffer>.makeStream()
        let writer = EndingWriter { [keys] in
            keys.remove()
            feed.yield(ByteBuffer(string: "3\n4\n"))
            feed.finish()
        }
        feed.yield(ByteBuffer(string: "1\n2\n"))
        await #expect(throws: RequestRefusal.keyDeleted) {
            try await run(pipeline(), RequestBody(asyncSequence: source), to: writer)
        }
        #expect(writer.text == "1\n2\n" && stored.all == ["1", "2"])
        let hadTime = !isClosed.load(ordering: .sequentiallyConsistent)
        #expect(hadTime, "the client has time to read why")
        await channel.testingEventLoop.advanceTime(by: .seconds(2))
        let isGone = isClosed.load(ordering: .sequentiallyConsistent)
        #expect(isGone, "a body that nobody reads may have no end")
    }

    @Test("a batch that waited for a slow client is not stored once the key is deleted")
    func deletedWhileWaiting() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let writer = HeldWriter(gate)
        let running = Task { try await run(pipeline(), body((0..<40).map(String.init)), to: writer) }
        #expect(await eventually { writer.isWriting })
        // Every stage has come to its wait, and what was checked is too old to count.
        try await Task.sleep(for: .milliseconds(500))
        let before = stored.all
        keys.remove()
        open.finish()
        await #expect(throws: RequestRefusal.keyDeleted) { try await running.value }
        #expect(!before.isEmpty && stored.all == before)
    }

    @Test("a batch that is stored while the key is deleted is answered before the run ends")
    func deletedWhileStoring() async throws {
        let asked = Atomic<Int>(0)
        // The first batch may be stored, and no other.
        let validity = CallerValidity { asked.add(1, ordering: .sequentiallyConsistent).oldValue == 0 }
        let holding = pipeline(validity: validity) { _ in
            #expect(await eventually { asked.load(ordering: .sequentiallyConsistent) >= 2 })
            // The refusal of the next batch has had its time.
            for _ in 0..<1000 { await Task.yield() }
        }
        let (source, feed) = AsyncStream<ByteBuffer>.makeStream()
        feed.yield(ByteBuffer(string: "1\n2\n3\n4\n"))
        let writer = EndingWriter()
        await #expect(throws: RequestRefusal.keyDeleted) {
            try await run(holding, RequestBody(asyncSequence: source), to: writer)
        }
        #expect(stored.all == ["1", "2"] && writer.text == "1\n2\n")
        feed.finish()
    }

    @Test("a run that is cancelled ends, though more may come")
    func cancelled() async throws {
        let (source, feed) = AsyncStream<ByteBuffer>.makeStream()
        feed.yield(ByteBuffer(string: "1\n"))
        let task = Task { try await run(pipeline(), RequestBody(asyncSequence: source), to: EndingWriter()) }
        #expect(await eventually { !stored.all.isEmpty })
        task.cancel()
        // The body has no end of its own.
        _ = await task.result
        #expect(stored.all == ["1"])
        feed.finish()
    }
}

/// Holds every write until the gate is opened.
private final class HeldWriter: ResponseBodyWriter, Sendable {
    private let written = Mutex("")
    private let hasBegun = Atomic<Bool>(false)
    private let gate: AsyncStream<Void>

    init(_ gate: AsyncStream<Void>) { self.gate = gate }

    var isWriting: Bool { hasBegun.load(ordering: .sequentiallyConsistent) }
    var text: String { written.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws {
        hasBegun.store(true, ordering: .sequentiallyConsistent)
        for await _ in gate {}
        written.withLock { $0 += String(buffer: buffer) }
    }
    func finish(_: HTTPFields?) async throws {}
}

private struct BrokenWriter: ResponseBodyWriter {
    let error: any Error
    mutating func write(_: ByteBuffer) async throws { throw error }
    func finish(_: HTTPFields?) async throws {}
}
