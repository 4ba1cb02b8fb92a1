import Identifiers
import Interactions
import NIOCore
import TrackingIDs

// Following a link, from a whole request to its answer.
extension RedirectHandler {
    /// Goes after the link that a whole request asked for.
    func follow(_ request: RedirectRequest, _ id: TrackingID?, _ context: ChannelHandlerContext) {
        guard request.method != .other else { return refuse(.methodNotAllowed, request, context) }
        guard let id else { return refuse(.notFound, request, context) }
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

    func found(
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

    func follow(
        _ id: TrackingID, of message: LinkedMessage, _ request: RedirectRequest, _ context: ChannelHandlerContext
    ) {
        guard let redirect = message.redirect(id.link) else { return refuse(.notFound, request, context) }
        let now = worker.now
        let link = RedirectPlan.Link(
            isDisabled: message.isDisabled, expires: id.expiry.timestamp, honorsGPC: message.gate.honorsGPC,
            consentEnded: message.isUntracked || message.revocations.contains(id.recipient, at: now),
            isFull: message.gate.isFull)
        switch RedirectPlan(request.method, request.signals, link, now: now) {
        case .refuse(let refusal): refuse(refusal, request, context)
        case .redirect(.skip(let reason)):
            worker.tally.answered(.init(reason), since: lastProgress)
            if reason == .quota { worker.tally.leftOut() }
            redirectNow(redirect, request, context)
        case .redirect(.record):
            guard worker.rate.take(id.message, id.recipient, id.link, at: lastProgress) else {
                worker.tally.completed(1, .unrecorded(.rate))
                worker.tally.answered(.unrecorded, since: lastProgress)
                return redirectNow(redirect, request, context)
            }
            phase = .spooling(request, redirect)
            let click = Occurrence(
                kind: .pushLinkClicked, source: .redirect, occurredAt: now, message: id.message,
                recipient: id.recipient, link: id.link, visitor: request.signals.visitor)
            worker.lane.append(click, for: self)
        }
    }

    // MARK: Answering

    func redirectNow(
        _ redirect: PreparedRedirect, _ request: RedirectRequest, _ context: ChannelHandlerContext
    ) {
        let allocator = context.channel.allocator
        let isLast = isEnding(with: request)
        let bytes = worker.answers.redirect(redirect, for: request, isLast: isLast, at: worker.now, allocator)
        answer(bytes, isLast: isLast, context)
    }

    func refuse(
        _ refusal: RedirectPlan.Refusal, _ request: RedirectRequest, _ context: ChannelHandlerContext
    ) {
        worker.tally.answered(.init(refusal), since: lastProgress)
        let allocator = context.channel.allocator
        let isLast = isEnding(with: request)
        let bytes = worker.answers.refusal(refusal, for: request, isLast: isLast, at: worker.now, allocator)
        answer(bytes, isLast: isLast, context)
    }

    /// Whether the connection ends with the answer to `request`.
    private func isEnding(with request: RedirectRequest) -> Bool {
        !request.isKeepAlive || isQuiescing || worker.roster.isLeaving
    }

    func answer(_ bytes: ByteBuffer, isLast: Bool, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: nil)
        needsFlush = true
        if isLast {
            close(context)
        } else {
            phase = .ready
        }
    }

    func close(_ context: ChannelHandlerContext) {
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

    func flushIfNeeded(_ context: ChannelHandlerContext) {
        guard needsFlush else { return }
        needsFlush = false
        context.flush()
    }
}

extension RedirectHandler: SpoolWaiter {
    func spooled(_ outcome: SpoolOutcome) {
        guard let context, case .spooling(let request, let redirect) = phase else { return }
        worker.tally.answered(.init(outcome), since: lastProgress, at: worker.lane.completedAt)
        redirectNow(redirect, request, context)
        resume(context)
    }
}
