import Counting
import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPConnections

/// What becomes of a connection whose client is slow, and when the server is about to end.
@Suite struct ConnectionIdleHandlerTests {
    private final class Stage: StagedConnection {
        var stage: ConnectionStage { .idle }
    }

    /// Notes that its connection is told to end.
    private final class Ending: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private(set) var isTold = false

        func userInboundEventTriggered(context _: ChannelHandlerContext, event: Any) {
            if event is ChannelShouldQuiesceEvent { isTold = true }
        }
    }

    private let channel = EmbeddedChannel()
    private let ending = Ending()
    private let handler: ConnectionIdleHandler

    init() throws {
        let registry = ConnectionRegistry(
            loop: channel.embeddedEventLoop, limit: ConnectionLimit(2), timeout: .short,
            refused: CaseCounters<RefusedConnection>())
        handler = ConnectionIdleHandler(registry: registry, connection: Stage())
        try channel.pipeline.syncOperations.addHandlers([handler, ending])
    }

    private func receive(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }
    private func answer() throws { try channel.writeOutbound(IOData.byteBuffer(ByteBuffer(string: "answer"))) }

    @Test("one that is idle after an answer ends at once")
    func idle() throws {
        try receive("request")
        try answer()
        handler.quiesce()
        #expect(ending.isTold)
    }

    @Test("a client that takes its answer slowly is not silent, one that takes nothing is", arguments: [true, false])
    func slow(takes: Bool) throws {
        let isClosed = NIOLoopBoundBox(false, eventLoop: channel.embeddedEventLoop)
        channel.closeFuture.whenComplete { _ in isClosed.value = true }
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        channel.write(IOData.byteBuffer(ByteBuffer(string: "answer")), promise: nil)
        channel.embeddedEventLoop.advanceTime(by: .seconds(27))
        if takes { channel.flush() }
        channel.embeddedEventLoop.advanceTime(by: .seconds(10))
        #expect(isClosed.value == !takes)
        channel.embeddedEventLoop.advanceTime(by: .seconds(30))
        #expect(isClosed.value)
    }

    @Test("a request may still arrive: the first one, or the rest of any that has begun", arguments: [0, 1, 2])
    func arriving(begun: Int) throws {
        if begun > 0 { try receive("request") }
        if begun > 1 {
            try answer()
            try receive("the next")
        }
        handler.quiesce()
        #expect(!ending.isTold)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(500))
        #expect(ending.isTold)
    }
}
