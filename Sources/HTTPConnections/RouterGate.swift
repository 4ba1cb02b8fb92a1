import NIOCore
import NIOHTTP1

/// Stands between a connection and the router, on both listeners: bounds the number of pipelined requests, ends the
/// connection when a request is malformed, bounds what is read of a body after its answer, and lets the router close
/// only when its answers have left.
final class RouterGate: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The requests of one connection that the router has at once. More wait here, and no more is read.
    private static let maximumOpen = 8

    private enum Arrival {
        case part(HTTPServerRequestPart)
        case malformed(any Error)
        /// The client sends nothing more.
        case inputClosed
    }

    private let registry: ConnectionRegistry
    /// How many bytes of a body are still read after its request was answered.
    private let maximumRest: Int
    private var backlog = CircularBuffer<Arrival>(initialCapacity: 1)
    /// Requests that were forwarded and whose answer has not ended.
    private var open = 0
    /// The last request that was forwarded is not complete.
    private var isReceiving = false
    /// An answer has begun and not ended.
    private var isAnswering = false
    private var restSize = 0
    /// Nothing more is taken from the client or written.
    private var isClosing = false
    /// How many closes wait for the last byte.
    private var heldCloses = 0
    /// The server ends now, and waits for no client.
    private var isForced = false
    private var isWorking = false
    private var isReadHeld = false

    init(registry: ConnectionRegistry, maximumRest: Int) {
        self.registry = registry
        self.maximumRest = maximumRest
    }

    // MARK: What arrives

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        backlog.append(.part(unwrapInboundIn(data)))
        work(context)
    }

    /// Malformed input ends the connection after the answers to what came before it.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else { return context.fireErrorCaught(error) }
        guard !isClosing else { return }
        backlog.append(.malformed(error))
        work(context)
    }

    /// The router is told of the end of input after the requests that wait. It takes nothing after that.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event, !isClosing else {
            return context.fireUserInboundEventTriggered(event)
        }
        backlog.append(.inputClosed)
        work(context)
    }

    func read(context: ChannelHandlerContext) {
        if backlog.isEmpty {
            context.read()
        } else {
            isReadHeld = true
        }
    }

    private func work(_ context: ChannelHandlerContext) {
        // The router may answer while it is given a part. The loop that is running then takes what waits.
        guard !isWorking else { return }
        isWorking = true
        defer { isWorking = false }
        while !isClosing, let arrival = backlog.first, canTake(arrival) {
            backlog.removeFirst()
            switch arrival {
            case .part(let part): take(part, context)
            case .malformed(let error): refuse(error, context)
            case .inputClosed: context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            }
        }
    }

    private func canTake(_ arrival: Arrival) -> Bool {
        switch arrival {
        case .part(.head): open < Self.maximumOpen
        case .part, .inputClosed: true
        case .malformed: open <= (isReceiving ? 1 : 0)
        }
    }

    private func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head:
            open += 1
            isReceiving = true
            restSize = 0
        case .body(let bytes) where open == 0:
            restSize += bytes.readableBytes
            guard restSize <= maximumRest else { return close(context) }
        case .body: break
        case .end: isReceiving = false
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    // MARK: What is answered

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isClosing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            isAnswering = true
            if registry.isLeaving { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            isAnswering = false
            context.write(data, promise: promise)
            answered(context)
        case .head, .body: context.write(data, promise: promise)
        }
    }

    private func answered(_ context: ChannelHandlerContext) {
        open -= 1
        if registry.isLeaving && open == 0 && !isReceiving { return close(context) }
        let before = open
        work(context)
        // The router acts on forwarded parts when a read is complete. This read is one of our own, so say that it is
        // complete.
        if open > before || isClosing { context.fireChannelReadComplete() }
        if isReadHeld && backlog.isEmpty {
            isReadHeld = false
            context.read()
        }
    }

    /// Answers 400 when the malformed request has no answer yet. The router gets the error, so that it does not take a
    /// part of a body for the whole.
    private func refuse(_ error: any Error, _ context: ChannelHandlerContext) {
        let isAnswered = isAnswering || isReceiving && open == 0
        isClosing = true
        context.fireErrorCaught(error)
        if !isAnswered {
            let headers = HTTPHeaders([("Connection", "close"), ("Content-Length", "0")])
            let head = HTTPResponseHead(version: .http1_1, status: .badRequest, headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.end(nil)), promise: nil)
        }
        close(context)
    }

    // MARK: How the connection ends

    /// The router closes the connection: after a last answer, or because the client sends nothing more.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        switch mode {
        case .input:
            // Hummingbird closes only the input when its task is cancelled: the server ends by force.
            isForced = true
            context.close(mode: mode, promise: promise)
            if heldCloses > 0 { context.close(promise: nil) }
        case .output: closeBehindAnswers(context, mode, promise)
        case .all:
            isClosing = true
            backlog.removeAll()
            closeBehindAnswers(context, mode, promise)
        }
    }

    private func close(_ context: ChannelHandlerContext) { close(context: context, mode: .all, promise: nil) }

    /// Closing fails what is not written yet, so it waits for the last byte. That holds for the output, too: once the
    /// input is closed, SwiftNIO closes all. A client that does not take its answers is closed by its timeout.
    private func closeBehindAnswers(
        _ context: ChannelHandlerContext, _ mode: CloseMode, _ promise: EventLoopPromise<Void>?
    ) {
        guard !isForced else { return context.close(mode: mode, promise: promise) }
        heldCloses += 1
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer())))).whenComplete { _ in
            let (gate, context) = bound.value
            gate.heldCloses -= 1
            context.close(mode: mode, promise: promise)
        }
    }
}

extension RouterGate: StagedConnection {
    var stage: ConnectionStage {
        // No answer is owed. The client only has to take what was written.
        if heldCloses > 0 { return .idle }
        if isReceiving { return isAnswering ? .exchanging : (open > 1 ? .owing : .receiving) }
        return open > 0 ? .owing : .idle
    }
}
