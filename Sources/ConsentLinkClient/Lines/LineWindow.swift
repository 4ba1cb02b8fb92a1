import Synchronization

/// Lines between those who give them and the service: not sent yet, or sent and not answered yet.
///
/// One task gives, one takes what is to be sent, one says how many are answered; each waits for the others, so no more
/// than a few lines are held however many there are. What was sent on a connection that broke is sent again on the next.
/// After ``close()`` nothing is held and nothing is sent.
package final class LineWindow: Sendable {
    /// How many lines may be sent and unanswered. When a connection breaks the service may have decided about all of
    /// them, whatever stands between it and this process: that is how many decisions can be lost, and no more.
    package static let mostUnanswered = 1000
    /// As few are not worth sending while others are under way: each sending costs both sides as much as many lines do.
    private static let fewestSent = 250
    /// In bytes that are sent at once, or one line. What is taken and not written yet may be kept for longer than the
    /// window is.
    private static let mostBytesSent = 64 << 10
    /// In lines and bytes that are held before they may be sent; a piece of what is read more.
    private static let mostUnsent = 4000
    private static let mostBytes = 1 << 20
    /// Answered lines are let go of this many at a time, or once there is no room for more and a quarter of the lines is
    /// answered: the others are moved each time.
    private static let mostAnswered = 4096

    private typealias Giver = CheckedContinuation<Void, any Error>
    private typealias Taker = CheckedContinuation<LineBatch?, any Error>

    /// Who is woken by a change of the state, and with what. It is found under the lock and done outside it: a
    /// continuation may run its task at once, and that task may ask the window for something.
    private struct Wakening {
        var giver: Giver?
        var taker: (continuation: Taker, result: Result<LineBatch?, any Error>)?

        func perform() {
            taker.map { $0.continuation.resume(with: $0.result) }
            giver?.resume()
        }
    }

    private struct State {
        var lines = LineBatch()
        /// How many of `lines` are answered, and how many are answered or sent.
        var answered = 0
        var sent = 0
        /// How many were let go of.
        var forgotten = 0
        var connection = 0
        var hasEnded = false
        var isClosed = false
        var giver: Giver?
        var taker: Taker?

        var hasRoom: Bool {
            lines.count - sent <= LineWindow.mostUnsent && lines.byteCount <= LineWindow.mostBytes
        }

        var lettingGoPays: Bool {
            answered >= LineWindow.mostAnswered || !hasRoom && answered >= (lines.count + 3) / 4
        }

        var isDone: Bool { hasEnded && answered == lines.count }
    }

    /// Guards the lines and the waiting tasks. A continuation is taken out before it is resumed, so each is resumed
    /// once.
    private let state = Mutex(State())

    package init() {}

    /// The answered ones, from the first of all.
    package var answeredCount: Int { state.withLock { $0.forgotten + $0.answered } }

    /// Whether there is something that the service should have answered.
    var isWaitingForAnswers: Bool { state.withLock { $0.sent > $0.answered } }

    /// Whether so many lines were sent and not answered yet.
    package func isWaiting(forAnswers count: Int) -> Bool { state.withLock { $0.sent - $0.answered >= count } }

    /// Whether every line was given and answered.
    package var isDone: Bool { state.withLock { $0.isDone } }

    /// Returns when there is room for more. Once the window is closed, it waits until its task is cancelled.
    package func give(_ batch: LineBatch) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (giver: Giver) in
                let wakening = state.withLock { state -> Wakening? in
                    guard !Task.isCancelled else { return nil }
                    state.giver = giver
                    guard !state.isClosed else { return Wakening() }
                    state.lines.append(batch)
                    var wakening = Self.serveTaker(&state)
                    if wakening.giver == nil, state.hasRoom { wakening.giver = state.giver.take() }
                    return wakening
                }
                if let wakening { wakening.perform() } else { giver.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            state.withLock { $0.giver.take() }?.resume(throwing: CancellationError())
        }
    }

    /// After what was given comes nothing more.
    package func end() {
        let wakening = state.withLock { state in
            guard !state.isClosed else { return Wakening() }
            state.hasEnded = true
            return Self.serveTaker(&state)
        }
        wakening.perform()
    }

    /// Drops every line: nothing more will be answered.
    ///
    /// The task that takes lines gets their end. The HTTP client writes a body in a task that it never cancels: without an
    /// end that task and its request would wait for lines for as long as the process runs. The task that gives lines waits
    /// until it is cancelled, so that it does not take the closing for a failure of its own.
    package func close() {
        let taker = state.withLock { state in
            guard !state.isClosed else { return Taker?.none }
            state.isClosed = true
            state.hasEnded = state.isDone
            state.forgotten += state.answered
            (state.lines, state.sent, state.answered) = (LineBatch(), 0, 0)
            return state.taker.take()
        }
        taker?.resume(throwing: CancellationError())
    }

    /// From now on everything that is not answered is sent anew.
    /// - Returns: the connection it is sent on, for ``take(on:)``.
    package func begin() -> Int {
        let (connection, taker) = state.withLock { state in
            state.sent = state.answered
            state.connection += 1
            return (state.connection, state.taker.take())
        }
        taker?.resume(throwing: CancellationError())
        return connection
    }

    /// The next lines to send; `nil` after the last.
    /// - Throws: `CancellationError` when the connection was given up, and once the window is closed.
    package func take(on connection: Int) async throws -> LineBatch? {
        try await withCheckedThrowingContinuation { (taker: Taker) in
            let wakening = state.withLock { state -> Wakening? in
                guard connection == state.connection, !state.isClosed else { return nil }
                state.taker = taker
                return Self.serveTaker(&state)
            }
            if let wakening { wakening.perform() } else { taker.resume(throwing: CancellationError()) }
        }
    }

    /// - Returns: `false` when that is more than were sent.
    package func answer(_ count: Int) -> Bool {
        let wakening = state.withLock { state -> Wakening? in
            guard count <= state.sent - state.answered else { return nil }
            state.answered += count
            if state.lettingGoPays {
                state.lines.removeFirst(state.answered)
                state.forgotten += state.answered
                state.sent -= state.answered
                state.answered = 0
            }
            var wakening = Self.serveTaker(&state)
            if wakening.giver == nil, state.hasRoom { wakening.giver = state.giver.take() }
            return wakening
        }
        wakening?.perform()
        return wakening != nil
    }

    private static func serveTaker(_ state: inout State) -> Wakening {
        guard let taker = state.taker else { return Wakening() }
        let end = min(state.lines.count, state.answered + mostUnanswered)
        if state.sent < end {
            let isAwaited = end == state.lines.count || state.sent == state.answered
            guard isAwaited || end - state.sent >= fewestSent else { return Wakening() }
            state.taker = nil
            let count = state.lines.count(of: state.sent..<end, within: mostBytesSent)
            let lines = state.lines[state.sent..<state.sent + max(count, 1)]
            state.sent += lines.count
            return Wakening(
                giver: state.hasRoom ? state.giver.take() : nil, taker: (taker, .success(lines)))
        }
        guard state.hasEnded, state.sent == state.lines.count else { return Wakening() }
        state.taker = nil
        return Wakening(taker: (taker, .success(nil)))
    }
}
