import NIOCore

/// Stands first on a connection and looks at nothing but when something comes and goes: notes when an answer left, and
/// reads no more from a client that does not take what it was answered.
final class ConnectionWatch: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData

    private static let lastMoment = TimeAmount.milliseconds(500)

    private let roster: ConnectionRoster
    private let connection: any StagedConnection
    /// In the order in which connections join the roster.
    let number: Int
    /// In ticks of the roster.
    let joined: Int
    /// In ticks of the roster; `nil` before the first.
    private(set) var lastAnswer: Int?
    /// In ticks of the roster: when the first byte came after the last answer.
    private var requestBegan: Int?
    /// In ticks of the roster: since when the client is waited for.
    private var waitingSince: Int?
    private var isReadHeld = false
    private var context: ChannelHandlerContext?

    init(roster: ConnectionRoster, connection: any StagedConnection) {
        self.roster = roster
        self.connection = connection
        joined = roster.tick
        number = roster.nextNumber()
    }

    /// Whether something came after the last answer.
    var isMidRequest: Bool { requestBegan != nil }
    var isOwed: Bool { connection.stage == .owing }

    func isOver(_ patience: ConnectionPatience) -> Bool {
        let tick = roster.tick
        return patience.isOver(
            connection.stage, hasAnswered: lastAnswer != nil, silence: tick - (lastAnswer ?? joined),
            headAge: requestBegan.map { tick - $0 }, wait: waitingSince.map { tick - $0 } ?? 0)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        roster.join(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        roster.leave(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if requestBegan == nil { requestBegan = roster.tick }
        waitingSince = nil
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        lastAnswer = roster.tick
        requestBegan = nil
        context.write(data, promise: promise)
    }

    func read(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            if waitingSince == nil { waitingSince = roster.tick }
            context.read()
        } else {
            isReadHeld = true
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isReadHeld && context.channel.isWritable {
            isReadHeld = false
            if waitingSince == nil { waitingSince = roster.tick }
            context.read()
        }
        context.fireChannelWritabilityChanged()
    }

    func close() { context?.close(promise: nil) }

    /// Tells the connection that the server is about to end. One that has just been opened gets a moment for its
    /// request, which may be on its way.
    func quiesce() {
        guard let context, lastAnswer == nil, requestBegan == nil else { return endSoon() }
        let watch = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.lastMoment) { watch.value.endSoon() }
    }

    private func endSoon() { context?.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
}
