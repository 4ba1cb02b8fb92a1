import HTTPConnections
import NIOCore
import NIOHTTP1
import TrackingIDs

/// The order of requests and answers on one connection of the public listener, as a value: events go in, and what the
/// handler must do comes out. It has no channel, no clock and no store, and calls nothing.
///
/// Answers leave in the order of their requests (RFC 9112, 9.3.2). While an answer is pending that the next one must
/// not overtake, input from the client waits here, and no more is read from the connection.
struct RedirectStateMachine: ~Copyable {
    /// A redirect ignores the body of a request, up to this many bytes.
    static let maximumBodySize = 64 * 1024

    enum State {
        /// Between requests.
        case idle(unanswered: Int)
        /// Within a request that the router gets.
        case forwarding(unanswered: Int)
        /// Within a request for a link.
        case receiving(HTTPRequestHead, bodySize: Int)
        /// The handler has a whole request for a link, and must call `lookUp`, `spool` or `answer` next; or a whole
        /// report or request for a picture, and must call `waitInTurn`, `leaveTurn` or `answer`.
        case following
        /// The answer depends on the message store.
        case lookingUp(RedirectRequest, TrackingID)
        /// The answer depends on the spool.
        case spooling(RedirectRequest, PreparedRedirect)
        /// Within the body of a device's report, which the reader collects.
        case collecting
        /// The answer depends on the message store or the spool (a device's report), or on the spool (a picture).
        case waitingInTurn
        /// No more answers, except those that the router still owes.
        case closing(unanswered: Int)
    }

    /// Input from the client that the machine has not taken yet.
    private enum Arrival {
        case part(HTTPServerRequestPart)
        case request(RedirectRequest, LinkOpening)
        /// Always the last.
        case malformed(any Error)
    }

    /// Only the machine changes it.
    var state = State.idle(unanswered: 0)
    private var backlog = CircularBuffer<Arrival>(initialCapacity: 1)
    /// Whether the decoder and the router are on the connection. Until then there are only plain requests.
    private var hasRouter = false
    private var isReadHeld = false
    /// The client sends nothing more, and the router does not know it yet.
    private var isInputClosed = false
    private var isQuiescing = false
    /// The last input from the client is malformed.
    private var isMalformed = false
    /// Whether the reader holds a request that waits for its turn.
    var isReaderWaiting = false

    // MARK: What the client sends

    /// The decoder and the router are on the connection, and get what comes next.
    mutating func routerTakesOver() {
        hasRouter = true
        if case .collecting = state { state = .idle(unanswered: 0) }
    }

    /// Whether nothing is under way, and nothing of what the client sent waits.
    var isBetweenRequests: Bool {
        if case .idle(unanswered: 0) = state { backlog.isEmpty && !isMalformed && !isInputClosed } else { false }
    }

    /// Whether a request that comes now is followed at once.
    var followsAtOnce: Bool {
        if case .idle = state { backlog.isEmpty } else { false }
    }

    /// A whole request for a link, from before the decoder.
    /// - Returns: whether the handler must follow it now; otherwise it waits for its turn.
    mutating func received(_ request: RedirectRequest, _ opening: LinkOpening) -> Bool {
        switch state {
        case .idle where followsAtOnce:
            state = .following
            return true
        case .closing: return false
        case .idle, .forwarding, .receiving, .following, .lookingUp, .spooling, .collecting, .waitingInTurn:
            backlog.append(.request(request, opening))
            return false
        }
    }

    /// A part of a request, from the decoder. What follows malformed input is ignored.
    mutating func received(_ part: HTTPServerRequestPart) {
        guard !isMalformed, !isClosing else { return }
        backlog.append(.part(part))
    }

    /// The decoder could not read what came. A proxy in front may read it in another way (request smuggling), so
    /// nothing after it is looked at; what came before it is answered.
    /// - Returns: whether this is the first such error.
    mutating func received(malformed error: any Error) -> Bool {
        guard !isMalformed, !isClosing else { return false }
        isMalformed = true
        backlog.append(.malformed(error))
        return true
    }

    /// The next thing to do with what the client sent; `nil` when nothing is left, or when it has to wait.
    mutating func next() -> Action? {
        while let arrival = backlog.first, canTake(arrival) {
            backlog.removeFirst()
            if let action = take(arrival) { return action }
        }
        return nil
    }

    private func canTake(_ arrival: Arrival) -> Bool {
        switch (state, arrival) {
        case (.following, _), (.lookingUp, _), (.spooling, _), (.collecting, _), (.waitingInTurn, _): false
        case (.idle(let unanswered), .part(.head(let head))): unanswered == 0 || !RedirectPath.covers(head.uri)
        case (.idle(let unanswered), .malformed), (.idle(let unanswered), .request): unanswered == 0
        case (.idle, .part), (.forwarding, _), (.receiving, _), (.closing, _): true
        }
    }

    private mutating func take(_ arrival: Arrival) -> Action? {
        switch (state, arrival) {
        case (.idle, .request(let request, let opening)):
            state = .following
            return .follow(request, opening)
        case (.idle(let unanswered), .part(.head(let head))):
            if RedirectPath.covers(head.uri) {
                if head.expectsContinue {
                    // This request gets the answer, which needs no body. Whether a body follows cannot be known.
                    state = .following
                    return .open(head.closing)
                }
                state = .receiving(head, bodySize: 0)
                return nil
            }
            state = .forwarding(unanswered: unanswered + 1)
            return .forward(.head(head))
        case (.forwarding(let unanswered), .part(let part)):
            if case .end = part { state = .idle(unanswered: unanswered) }
            return .forward(part)
        case (.receiving(let head, let size), .part(.body(let bytes))):
            guard size + bytes.readableBytes <= Self.maximumBodySize else { return beginClosing() ? .close : nil }
            state = .receiving(head, bodySize: size + bytes.readableBytes)
            return nil
        case (.receiving(let head, _), .part(.end)):
            state = .following
            return .open(head)
        case (.forwarding(let unanswered), .malformed(let error)):
            state = .closing(unanswered: unanswered)
            return .forwardError(error)
        case (.idle, .malformed), (.receiving, .malformed): return beginClosing() ? .refuseMalformed : nil
        case (.idle, .part), (.receiving, _), (.forwarding, .request), (.closing, _), (.following, _),
            (.lookingUp, _), (.spooling, _), (.collecting, _), (.waitingInTurn, _):
            return nil
        }
    }

    // MARK: What the handler has done with a link

    /// The message of the link must be asked for in the store.
    mutating func lookUp(_ request: RedirectRequest, _ id: TrackingID) { state = .lookingUp(request, id) }

    /// The store has answered.
    /// - Returns: what to follow; `nil` when the connection has ended.
    mutating func lookedUp() -> (request: RedirectRequest, id: TrackingID)? {
        guard case .lookingUp(let request, let id) = state else { return nil }
        state = .following
        return (request, id)
    }

    /// The click must be durable before it is answered.
    mutating func spool(_ request: RedirectRequest, _ redirect: PreparedRedirect) {
        state = .spooling(request, redirect)
    }

    /// The spool has answered.
    /// - Returns: what to answer; `nil` when the connection has ended.
    mutating func spooled() -> (request: RedirectRequest, redirect: PreparedRedirect)? {
        guard case .spooling(let request, let redirect) = state else { return nil }
        state = .following
        return (request, redirect)
    }

    /// A request for a link, or a report, is answered.
    /// - Parameter isLeaving: whether the service ends connections with their next answer.
    /// - Returns: whether this is the last answer of the connection. The handler says so in it, and closes after it.
    mutating func answer(_ request: RedirectRequest, isLeaving: Bool) -> Bool {
        guard request.isKeepAlive, !isQuiescing, !isLeaving else { return beginClosing() }
        state = .idle(unanswered: 0)
        return false
    }

    /// The router has written the end of an answer.
    mutating func routerAnswered() {
        switch state {
        case .idle(let unanswered): state = .idle(unanswered: unanswered - 1)
        case .forwarding(let unanswered): state = .forwarding(unanswered: unanswered - 1)
        case .closing(let unanswered): state = .closing(unanswered: unanswered - 1)
        case .receiving, .following, .lookingUp, .spooling, .collecting, .waitingInTurn: break
        }
    }

    /// The next thing to do after an answer; `nil` if nothing is left.
    mutating func nextFollowUp() -> FollowUp? {
        if isReadHeld, !holdsReads {
            isReadHeld = false
            return .read
        }
        guard !hasPendingAnswer else { return nil }
        if isInputClosed { return endOfInput() }
        return isQuiescing && beginClosing() ? .close : nil
    }

    // MARK: Reading and the end of the connection

    /// The channel asks for more input.
    /// - Returns: whether to read now. Otherwise ``nextFollowUp()`` says when.
    mutating func readRequested() -> Bool {
        guard holdsReads else { return true }
        isReadHeld = true
        return false
    }

    /// The client sends nothing more. It still gets the answers that it waits for.
    mutating func inputClosed() -> FollowUp? {
        isInputClosed = true
        return hasPendingAnswer ? nil : endOfInput()
    }

    private mutating func endOfInput() -> FollowUp? {
        isInputClosed = false
        guard !hasRouter else { return .forwardInputClosed }
        return beginClosing() ? .close : nil
    }

    /// The server is about to end.
    /// - Returns: whether to close now, because no request is under way.
    mutating func quiesce() -> Bool {
        isQuiescing = true
        guard case .idle(unanswered: ...0) = state else { return false }
        return beginClosing()
    }

    /// The connection failed for another reason than malformed input.
    /// - Returns: whether to close; otherwise the router does.
    mutating func failed() -> Bool { !hasRouter && beginClosing() }

    /// The connection is gone: nothing can be answered any more.
    mutating func connectionClosed() {
        state = .closing(unanswered: 0)
        backlog.removeAll()
    }

    /// - Returns: `false` when the connection is being closed already.
    private mutating func beginClosing() -> Bool {
        guard !isClosing else { return false }
        state = .closing(unanswered: unansweredCount)
        backlog.removeAll()
        return true
    }

    // MARK: What is under way

    /// How many forwarded requests the router has not answered.
    var unansweredCount: Int {
        switch state {
        case .idle(let unanswered), .forwarding(let unanswered), .closing(let unanswered): unanswered
        case .receiving, .following, .lookingUp, .spooling, .collecting, .waitingInTurn: 0
        }
    }

    var stage: ConnectionStage {
        switch state {
        case .following, .lookingUp, .spooling, .waitingInTurn: .owing
        case .forwarding(let unanswered): unanswered > 1 ? .owing : .receiving
        case .receiving, .collecting: .receiving
        case .idle(let unanswered): unanswered > 0 ? .owing : .idle
        case .closing: .idle
        }
    }

    /// Whether an answer is pending that the next one must not overtake.
    private var hasPendingAnswer: Bool {
        switch state {
        case .following, .lookingUp, .spooling, .waitingInTurn: true
        case .idle, .forwarding, .receiving, .collecting, .closing: unansweredCount > 0
        }
    }

    private var holdsReads: Bool { hasPendingAnswer && (isReaderWaiting || !backlog.isEmpty) }

    /// Whether nothing more is taken from the client.
    var isClosing: Bool {
        if case .closing = state { true } else { false }
    }
}
