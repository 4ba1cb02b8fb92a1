import Identifiers
import Interactions
import NIOCore
import NIOHTTP1
import TrackingIDs

/// Answers `/r/…` directly behind the HTTP/1 decoder; every other request passes through to the router.
///
/// Answers leave in the order of their requests (RFC 9112, 9.3.2): while one is awaited, what a client sent after it
/// waits here, and no more is read from the connection.
final class RedirectHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Bodies mean nothing to a redirect. They are read past, up to this many bytes.
    private static let maximumBodySize = 64 * 1024

    private enum Phase {
        /// Between requests.
        case ready
        /// In the middle of a request that the router gets.
        case passing
        /// In the middle of a request for a link.
        case reading(RedirectRequest, bodySize: Int)
        /// The answer depends on the store.
        case lookingUp
        /// The answer depends on the disk.
        case spooling(RedirectRequest, PreparedRedirect)
        /// The connection is done for.
        case closing
    }

    private let worker: RedirectWorker
    private var phase = Phase.ready
    /// Requests that the router has not answered yet.
    private var routed = 0
    private var backlog = CircularBuffer<HTTPServerRequestPart>()
    private var isReadHeld = false
    /// The client has said all it will; told to the router when nothing is owed any more.
    private var isInputClosed = false
    private var isQuiescing = false
    /// What came last on the connection made no sense; it is closed as soon as nothing is owed.
    private var isGarbled = false
    private var isWorking = false
    private var needsFlush = false
    private var lastProgress = NIODeadline.now()
    private var context: ChannelHandlerContext?

    init(worker: RedirectWorker) { self.worker = worker }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        watchIdleness()
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    // MARK: What arrives

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        backlog.append(unwrapInboundIn(data))
        work(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flushIfNeeded(context)
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if isOwing && !backlog.isEmpty {
            isReadHeld = true
        } else {
            context.read()
        }
    }

    /// The router has written the end of an answer.
    func routerAnswered() {
        routed -= 1
        lastProgress = .now()
        guard let context else { return }
        resume(context)
    }

    // MARK: The state of the connection

    /// Whether an answer is awaited that the next one must not overtake.
    private var isOwing: Bool {
        switch phase {
        case .lookingUp, .spooling: true
        case .ready, .passing, .reading, .closing: routed > 0
        }
    }

    private func work(_ context: ChannelHandlerContext) {
        // A router may answer while it is given a part; what then waits is taken by the loop that is under way.
        guard !isWorking else { return }
        isWorking = true
        defer { isWorking = false }
        while let part = backlog.first, canTake(part) {
            backlog.removeFirst()
            take(part, context)
        }
    }

    private func canTake(_ part: HTTPServerRequestPart) -> Bool {
        switch (phase, part) {
        case (.lookingUp, _), (.spooling, _): false
        case (.ready, .head(let head)): routed == 0 || !RedirectPath.covers(head.uri)
        case (.ready, _), (.passing, _), (.reading, _), (.closing, _): true
        }
    }

    private func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch (phase, part) {
        case (.ready, .head(let head)) where RedirectPath.covers(head.uri):
            phase = .reading(RedirectRequest(head), bodySize: 0)
        case (.ready, .head):
            routed += 1
            phase = .passing
            context.fireChannelRead(wrapInboundOut(part))
        case (.passing, _):
            if case .end = part { phase = .ready }
            context.fireChannelRead(wrapInboundOut(part))
        case (.reading(let request, let size), .body(let bytes)):
            guard size + bytes.readableBytes <= Self.maximumBodySize else {
                return close(context)
            }
            phase = .reading(request, bodySize: size + bytes.readableBytes)
        case (.reading(let request, _), .end):
            lastProgress = .now()
            follow(request, context)
        case (.lookingUp, _), (.spooling, _), (.closing, _), (.ready, _), (.reading, .head): break
        }
    }

    /// Goes on after an answer that something waited for.
    private func resume(_ context: ChannelHandlerContext) {
        let wasRouted = routed
        work(context)
        flushIfNeeded(context)
        // What comes behind delivers what it was given when a reading is complete, and this is one of our own.
        if routed > wasRouted { context.fireChannelReadComplete() }
        if isReadHeld && !(isOwing && !backlog.isEmpty) {
            isReadHeld = false
            context.read()
        }
        if isInputClosed && !isOwing {
            isInputClosed = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        if (isQuiescing || isGarbled) && !isOwing { close(context) }
    }

    // MARK: Following a link

    private func follow(_ request: RedirectRequest, _ context: ChannelHandlerContext) {
        guard request.method != .other else { return refuse(.methodNotAllowed, request, context) }
        guard let id = worker.trackingID(of: request) else { return refuse(.notFound, request, context) }
        switch worker.message(id.message) {
        case .known(let message): follow(id, of: message, request, context)
        case .pending(let future):
            phase = .lookingUp
            let bound = NIOLoopBound((self, context, request), eventLoop: context.eventLoop)
            future.whenSuccess { found in
                let (handler, context, request) = bound.value
                handler.found(found, for: id, request, context)
            }
        }
    }

    private func found(
        _ found: RedirectWorker.Found, for id: TrackingID, _ request: RedirectRequest, _ context: ChannelHandlerContext
    ) {
        guard self.context != nil, case .lookingUp = phase else { return }
        switch found {
        case .message(let message): follow(id, of: message, request, context)
        case .nothing: refuse(.notFound, request, context)
        case .unavailable: refuse(.unavailable, request, context)
        }
        resume(context)
    }

    private func follow(
        _ id: TrackingID, of message: LinkedMessage, _ request: RedirectRequest, _ context: ChannelHandlerContext
    ) {
        guard let redirect = message.redirect(id.link) else { return refuse(.notFound, request, context) }
        let now = worker.now
        let link = RedirectPlan.Link(
            isDisabled: message.isDisabled, expires: id.expiry.timestamp, honorsGPC: message.gate.honorsGPC,
            consentEnded: message.revocations.contains(id.recipient, at: now))
        switch RedirectPlan(request.method, request.signals, link, now: now) {
        case .refuse(let refusal): refuse(refusal, request, context)
        case .redirect(.skip): redirectNow(redirect, request, context)
        case .redirect(.record):
            phase = .spooling(request, redirect)
            let click = Occurrence(
                kind: .pushLinkClicked, source: .redirect, occurredAt: now, message: id.message,
                recipient: id.recipient, link: id.link, visitor: request.signals.visitor)
            worker.lane.append(click, for: self)
        }
    }

    // MARK: Answering

    private func redirectNow(
        _ redirect: PreparedRedirect, _ request: RedirectRequest, _ context: ChannelHandlerContext
    ) {
        let allocator = context.channel.allocator
        answer(worker.answers.redirect(redirect, for: request, at: worker.now, allocator), request, context)
    }

    private func refuse(
        _ refusal: RedirectPlan.Refusal, _ request: RedirectRequest, _ context: ChannelHandlerContext
    ) {
        let allocator = context.channel.allocator
        answer(worker.answers.refusal(refusal, for: request, at: worker.now, allocator), request, context)
    }

    private func answer(_ bytes: ByteBuffer, _ request: RedirectRequest, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
        needsFlush = true
        if request.isKeepAlive && !isQuiescing && !isGarbled {
            phase = .ready
        } else {
            close(context)
        }
    }

    private func close(_ context: ChannelHandlerContext) {
        if case .closing = phase { return }
        phase = .closing
        backlog.removeAll()
        needsFlush = false
        // Closing fails what is not written yet, so it waits for the last byte.
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer()))).whenComplete { _ in
            bound.value.close(promise: nil)
        }
    }

    private func flushIfNeeded(_ context: ChannelHandlerContext) {
        guard needsFlush else { return }
        needsFlush = false
        context.flush()
    }
}

extension RedirectHandler: SpoolWaiter {
    func spooled(_: SpoolOutcome) {
        guard let context, case .spooling(let request, let redirect) = phase else { return }
        redirectNow(redirect, request, context)
        resume(context)
    }
}

// MARK: The end of a connection

extension RedirectHandler {
    /// A connection that has not brought a whole request for this long is closed, be it idle or slow.
    private static let patience = TimeAmount.seconds(30)
    private static let lookInterval = TimeAmount.seconds(15)

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed where isOwing: isInputClosed = true
        case is ChannelShouldQuiesceEvent:
            isQuiescing = true
            if case .ready = phase, !isOwing { close(context) }
            context.fireUserInboundEventTriggered(event)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// What the decoder cannot make sense of could be read differently by a proxy in front (request smuggling), so
    /// nothing that follows on the connection is looked at.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else {
            context.fireErrorCaught(error)
            return
        }
        guard !isOwing else {
            isGarbled = true
            backlog.removeAll()
            return
        }
        if case .ready = phase {
            let answer = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            context.write(wrapOutboundOut(.byteBuffer(ByteBuffer(string: answer))), promise: nil)
        }
        close(context)
    }

    private func watchIdleness() {
        guard let context else { return }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.lookInterval) { bound.value.closeIfIdle() }
    }

    private func closeIfIdle() {
        guard let context else { return }
        if !isOwing && NIODeadline.now() - lastProgress >= Self.patience {
            close(context)
        } else {
            watchIdleness()
        }
    }
}
