import Identifiers
import Interactions
import NIOCore
import NIOHTTP1
import TrackingIDs

/// Answers `/r/…`; every other request passes through to the router.
///
/// What it is to answer comes from ``PlainRequestReader`` for as long as a connection brings nothing but plain requests
/// for links, and from the HTTP/1 decoder after that. Answers leave in the order of their requests (RFC 9112, 9.3.2):
/// while one is awaited, what a client sent after it waits here, and no more is read from the connection.
final class RedirectHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Bodies mean nothing to a redirect. They are read past, up to this many bytes.
    private static let maximumBodySize = 64 * 1024

    enum Phase {
        /// Between requests.
        case ready
        /// In the middle of a request that the router gets.
        case passing
        /// In the middle of a request for a link, or for something that is none.
        case reading(RedirectRequest, TrackingID?, bodySize: Int)
        /// The answer depends on the store.
        case lookingUp
        /// The answer depends on the disk.
        case spooling(RedirectRequest, PreparedRedirect)
        /// The connection is done for.
        case closing
    }

    /// What a client sent.
    enum Arrival {
        case part(HTTPServerRequestPart)
        /// A whole request.
        case plain(RedirectRequest, TrackingID?)
        /// What makes no sense. Nothing comes after it.
        case malformed(any Error)
    }

    let worker: RedirectWorker
    /// Whether nothing stands behind it yet that other requests could be passed to.
    var isAlone = true
    var phase = Phase.ready
    /// Requests that the router has not answered yet.
    var routed = 0
    var backlog = CircularBuffer<Arrival>(initialCapacity: 1)
    var isReadHeld = false
    /// The client has said all it will; told to the router when nothing is owed any more.
    var isInputClosed = false
    var isQuiescing = false
    /// What came last on the connection made no sense. It is closed after the answers to what came before.
    var isGarbled = false
    var isWorking = false
    var needsFlush = false
    /// When the last whole request was there.
    var lastProgress = NIODeadline.now()
    var context: ChannelHandlerContext?

    init(worker: RedirectWorker) { self.worker = worker }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    // MARK: What arrives

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isGarbled else { return }
        backlog.append(.part(unwrapInboundIn(data)))
        work(context)
    }

    /// A whole request, from before the decoder.
    func receive(_ request: RedirectRequest, _ id: TrackingID?) {
        guard let context else { return }
        if case .ready = phase, backlog.isEmpty {
            lastProgress = .now()
            follow(request, id, context)
        } else {
            backlog.append(.plain(request, id))
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        readComplete()
        context.fireChannelReadComplete()
    }

    func readComplete() {
        if let context { flushIfNeeded(context) }
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
        guard let context else { return }
        resume(context)
    }

    // MARK: The state of the connection

    /// Whether an answer is awaited that the next one must not overtake.
    var isOwing: Bool {
        switch phase {
        case .lookingUp, .spooling: true
        case .ready, .passing, .reading, .closing: routed > 0
        }
    }

    func work(_ context: ChannelHandlerContext) {
        // A router may answer while it is given a part; what then waits is taken by the loop that is under way.
        guard !isWorking else { return }
        isWorking = true
        defer { isWorking = false }
        while let arrival = backlog.first, canTake(arrival) {
            backlog.removeFirst()
            switch arrival {
            case .part(let part): take(part, context)
            case .plain(let request, let id):
                lastProgress = .now()
                follow(request, id, context)
            case .malformed(let error): refuse(error, context)
            }
        }
    }

    func canTake(_ arrival: Arrival) -> Bool {
        switch (phase, arrival) {
        case (.lookingUp, _), (.spooling, _): false
        case (.ready, .part(.head(let head))): routed == 0 || !RedirectPath.covers(head.uri)
        case (.ready, .malformed): routed == 0
        case (.ready, _), (.passing, _), (.reading, _), (.closing, _): true
        }
    }

    func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch (phase, part) {
        case (.ready, .head(let head)) where RedirectPath.covers(head.uri):
            let id = RedirectPath.withToken(of: head.uri, worker.open) ?? nil
            phase = .reading(RedirectRequest(head), id, bodySize: 0)
        case (.ready, .head):
            routed += 1
            phase = .passing
            context.fireChannelRead(wrapInboundOut(part))
        case (.passing, _):
            if case .end = part { phase = .ready }
            context.fireChannelRead(wrapInboundOut(part))
        case (.reading(let request, let id, let size), .body(let bytes)):
            guard size + bytes.readableBytes <= Self.maximumBodySize else {
                return close(context)
            }
            phase = .reading(request, id, bodySize: size + bytes.readableBytes)
        case (.reading(let request, let id, _), .end):
            lastProgress = .now()
            follow(request, id, context)
        case (.lookingUp, _), (.spooling, _), (.closing, _), (.ready, _), (.reading, .head): break
        }
    }

    /// Goes on after an answer that something waited for.
    func resume(_ context: ChannelHandlerContext) {
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
            inputClosed(context)
        }
        if isQuiescing && !isOwing { close(context) }
    }
}

extension RedirectHandler: StagedConnection {
    var stage: ConnectionStage {
        switch phase {
        case .lookingUp, .spooling: .owing
        case .passing: routed > 1 ? .owing : .receiving
        case .reading: .receiving
        case .ready: routed > 0 ? .owing : .idle
        case .closing: .idle
        }
    }
}
