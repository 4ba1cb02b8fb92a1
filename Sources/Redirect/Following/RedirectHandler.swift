import Counting
import HTTPConnections
import Identifiers
import Interactions
import NIOCore
import NIOHTTP1
import Pages
import TrackingIDs

/// Answers `/r/…` and forwards every other request to the router: performs on a channel what ``RedirectStateMachine``
/// decides.
///
/// Plain requests for links come from ``PlainRequestReader``, all others from the HTTP/1 decoder.
final class RedirectHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    let worker: RedirectWorker
    /// The reader before the decoder.
    var reader: PlainRequestReader?
    /// Driven here, and in `RedirectHandler+Turns.swift` by reports of devices and requests for pictures.
    var machine = RedirectStateMachine()
    let output = ResponseOutput()
    private var isPerforming = false
    /// When the last whole request for a link had arrived.
    private var receivedAt = NIODeadline.now()
    private(set) var context: ChannelHandlerContext?

    init(worker: RedirectWorker) { self.worker = worker }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        output.closed()
        machine.connectionClosed()
    }

    // MARK: What the client sends

    /// A whole request, from before the decoder.
    func receive(_ plain: PlainRequest, in bytes: Span<UInt8>) {
        let opening = worker.open(bytes.extracting(plain.token))
        func language() -> PageLanguage {
            PageLanguage(target: bytes.extracting(plain.target), acceptLanguage: bytes.extracting(plain.languages))
        }
        var request = plain.request
        if !machine.followsAtOnce { request.language = language() }
        guard let context, machine.received(request, opening) else { return }
        receivedAt = .now()
        follow(request, opening, context, language)
    }

    /// What comes next is the decoder's and the router's.
    func routerTakesOver() {
        machine.routerTakesOver()
        if let context { output.share(context) }
    }

    /// The router has answered everything, and what comes next is read before the decoder.
    func readerTakesOver() { output.endSharing() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        machine.received(unwrapInboundIn(data))
        performActions(context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        readComplete()
        context.fireChannelReadComplete()
    }

    func readComplete() {
        if let context { output.flush(context) }
    }

    func read(context: ChannelHandlerContext) {
        if machine.readRequested() { context.read() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            if let followUp = machine.inputClosed() { perform(followUp, context) }
        case is ChannelShouldQuiesceEvent:
            if machine.quiesce() { output.close(context) }
            context.fireUserInboundEventTriggered(event)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else {
            if machine.failed() { output.close(context) }
            return context.fireErrorCaught(error)
        }
        guard machine.received(malformed: error) else { return }
        worker.counters.refused.add(1, .malformed)
        performActions(context)
    }

    // MARK: Performing

    /// The router has written the end of an answer.
    func routerAnswered() {
        machine.routerAnswered()
        if let context { resume(context) }
    }

    private func performActions(_ context: ChannelHandlerContext) {
        // The router may answer while it is given a part. The loop that is running then takes what waits.
        guard !isPerforming else { return }
        isPerforming = true
        defer { isPerforming = false }
        while let action = machine.next() {
            switch action {
            case .open(let head):
                let opening = RedirectPath.withToken(of: head.uri, worker.open) ?? .refused(.notFound)
                receivedAt = .now()
                follow(RedirectRequest(head), opening, context) { PageLanguage(head) }
            case .follow(let request, let opening):
                receivedAt = .now()
                follow(request, opening, context) { request.language ?? .fallback }
            case .forward(let part): context.fireChannelRead(wrapInboundOut(part))
            case .forwardError(let error): context.fireErrorCaught(error)
            case .refuseMalformed:
                let answer = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
                write(ByteBuffer(string: answer), isLast: true, context)
            case .close: output.close(context)
            }
        }
    }

    /// Continues after an answer that held up the connection.
    func resume(_ context: ChannelHandlerContext) {
        let unanswered = machine.unansweredCount
        performActions(context)
        if machine.followsAtOnce { reader?.goOn() }
        output.flush(context)
        // The router acts on forwarded parts when a read is complete. This read is one of our own, so say that it is
        // complete.
        if machine.unansweredCount > unanswered { context.fireChannelReadComplete() }
        while let followUp = machine.nextFollowUp() { perform(followUp, context) }
    }

    private func perform(_ followUp: RedirectStateMachine.FollowUp, _ context: ChannelHandlerContext) {
        switch followUp {
        case .read: context.read()
        case .forwardInputClosed: context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        case .close: output.close(context)
        }
    }

    // MARK: Following a link

    /// - Parameter language: reads the language in which to refuse the request. Called only for a refusal.
    private func follow(
        _ request: RedirectRequest, _ opening: LinkOpening, _ context: ChannelHandlerContext,
        _ language: () -> PageLanguage
    ) {
        guard request.method != .other else { return refuse(.methodNotAllowed, request, context, language) }
        let id: TrackingID
        switch opening {
        case .opened(let opened): id = opened
        case .refused(let refusal): return refuse(refusal, request, context, language)
        }
        switch worker.message(id.message, having: id.link) {
        case .known(let message): follow(id, of: message, request, context, language)
        case .pending(let future):
            var request = request
            request.language = language()
            machine.lookUp(request, id)
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            future.whenSuccess { bound.value.lookedUp($0) }
        }
    }

    private func lookedUp(_ found: RedirectWorker.Found) {
        guard let context, let (request, id) = machine.lookedUp() else { return }
        let language = { request.language ?? .fallback }
        switch found {
        case .message(let message): follow(id, of: message, request, context, language)
        case .nothing: refuse(.notFound, request, context, language)
        case .unavailable: refuse(.unavailable, request, context, language)
        }
        resume(context)
    }

    private func follow(
        _ id: TrackingID, of message: LinkedMessage, _ request: RedirectRequest, _ context: ChannelHandlerContext,
        _ language: () -> PageLanguage
    ) {
        guard let redirect = message.redirect(id.link) else { return refuse(.notFound, request, context, language) }
        let now = worker.now
        let policy = message.recordingPolicy(
            for: id.recipient, of: .clicks, expires: id.expiry.timestamp,
            mayObject: request.signals.hasGlobalPrivacyControl, at: now)
        let plan = RedirectPlan(
            isHead: request.method == .head, request.signals, isDisabled: message.isDisabled, policy: policy, now: now)
        switch plan {
        case .refuse(let refusal): refuse(refusal, request, context, language)
        case .redirect(.skip(let reason)):
            worker.counters.answered(.init(reason), since: receivedAt)
            if reason == .quota { worker.counters.overQuota() }
            answer(request, with: redirect, context)
        case .redirect(.record):
            guard worker.rate.consume(of: id.recipient, on: id.message, link: id.link, at: receivedAt) else {
                worker.counters.completed(1, .unrecorded(.rate))
                worker.counters.answered(.unrecorded, since: receivedAt)
                return answer(request, with: redirect, context)
            }
            machine.spool(request, redirect)
            let click = Occurrence(
                kind: .pushLinkClicked, source: .redirect, occurredAt: now, message: id.message,
                recipient: id.recipient, link: id.link, visitor: request.signals.agent.following)
            worker.spoolBuffer.append(click, for: self)
        }
    }

    private func answer(
        _ request: RedirectRequest, with redirect: PreparedRedirect, _ context: ChannelHandlerContext
    ) {
        let isLast = machine.answer(request, isLeaving: worker.registry.isLeaving)
        let bytes = worker.answers.redirect(redirect, for: request, isLast: isLast, at: worker.now)
        write(bytes, isLast: isLast, context)
    }

    private func refuse(
        _ refusal: RedirectPlan.Refusal, _ request: RedirectRequest, _ context: ChannelHandlerContext,
        _ language: () -> PageLanguage
    ) {
        worker.counters.answered(.init(refusal), since: receivedAt)
        let isLast = machine.answer(request, isLeaving: worker.registry.isLeaving)
        let bytes = worker.answers.refusal(
            refusal, in: request.wantsHTML ? language() : nil, for: request, isLast: isLast, at: worker.now)
        write(bytes, isLast: isLast, context)
    }

    func write(_ bytes: ByteBuffer, isLast: Bool, _ context: ChannelHandlerContext) {
        output.write(bytes, context)
        if isLast { output.close(context) }
    }
}

extension RedirectHandler: SpoolWaiter {
    func spooled(_ outcome: SpoolOutcome) {
        guard let context, let (request, redirect) = machine.spooled() else { return }
        worker.counters.answered(.init(outcome), since: receivedAt, at: worker.spoolBuffer.completedAt)
        answer(request, with: redirect, context)
        resume(context)
    }
}

extension RedirectHandler: StagedConnection {
    var stage: ConnectionStage { machine.stage }
}
