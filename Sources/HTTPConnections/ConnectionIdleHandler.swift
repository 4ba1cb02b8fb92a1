package import NIOCore

/// The first handler of a connection. Notes when requests and answers pass, so that the registry can close a connection
/// that is idle, and stops reading from a client that does not take its answers.
package final class ConnectionIdleHandler: ChannelDuplexHandler, RegisteredConnection {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundIn = IOData

    /// How long a request may still arrive when the server is about to end: the first one of a new connection, or the
    /// rest of one that has begun.
    private static let gracePeriod = TimeAmount.milliseconds(500)

    private let registry: ConnectionRegistry
    private let connection: any StagedConnection
    let number: Int
    let addedAt: Int
    private(set) var lastAnswer: Int?
    /// The tick of the first byte after the last answer.
    private var requestBegan: Int?
    /// The tick since which this connection waits for its client.
    private var waitingSince: Int?
    private var isReadHeld = false
    /// Whether the channel was writable at its last change: to ask the channel for every request costs more.
    private var isWritable = true
    /// The bytes that waited for the client at the last tick at which it had not taken all.
    private var untaken = 0
    private var context: ChannelHandlerContext?

    package init(registry: ConnectionRegistry, connection: any StagedConnection) {
        self.registry = registry
        self.connection = connection
        addedAt = registry.tick
        number = registry.nextNumber()
    }

    var isMidRequest: Bool { requestBegan != nil }
    var isOwed: Bool { connection.stage == .owing }

    func hasExceeded(_ timeout: ConnectionTimeout) -> Bool {
        let tick = registry.tick
        if !isWritable { noteTaken(at: tick) }
        return timeout.isExceeded(
            connection.stage, hasAnswered: lastAnswer != nil, silence: tick - (lastAnswer ?? addedAt),
            headAge: requestBegan.map { tick - $0 }, wait: waitingSince.map { tick - $0 } ?? 0)
    }

    /// A client that takes a long answer slowly is not silent.
    private func noteTaken(at tick: Int) {
        guard let left = try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes) else { return }
        if left < untaken { lastAnswer = tick }
        untaken = left
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        registry.add(self)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        registry.remove(self)
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if requestBegan == nil { requestBegan = registry.tick }
        waitingSince = nil
        context.fireChannelRead(data)
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        answered()
        context.write(data, promise: promise)
    }

    /// An answer leaves, or a part of one.
    package func answered() {
        lastAnswer = registry.tick
        requestBegan = nil
    }

    package func read(context: ChannelHandlerContext) {
        if isWritable {
            if waitingSince == nil { waitingSince = registry.tick }
            context.read()
        } else {
            isReadHeld = true
        }
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        if isReadHeld && isWritable {
            isReadHeld = false
            if waitingSince == nil { waitingSince = registry.tick }
            context.read()
        }
        context.fireChannelWritabilityChanged()
    }

    func close() { context?.close(promise: nil) }

    /// A connection that is idle after an answer ends now, any other after ``gracePeriod``.
    func quiesce() {
        guard let context, lastAnswer == nil || isMidRequest else { return endSoon() }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.gracePeriod) { handler.value.endSoon() }
    }

    private func endSoon() { context?.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
}
