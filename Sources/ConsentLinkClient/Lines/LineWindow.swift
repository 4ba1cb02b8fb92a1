import Synchronization

/// The lines of an exchange that are not sent yet, or sent and not answered yet.
///
/// One task gives lines, one takes them to send, one reports how many are answered. Each waits for the others, so only
/// a few lines are in memory. Lines without an answer on a connection that broke are sent again on the next. After
/// ``close()`` nothing is held and nothing is sent.
package final class LineWindow: Sendable {
    /// How many lines may be sent and unanswered. When a connection breaks, the service may have decided about all of
    /// them, even with proxies in between. So at most this many decisions can be lost.
    package static let maximumUnansweredCount = 1000
    /// Fewer lines are not sent while others are unanswered: each send costs both sides as much as many lines.
    private static let fewestSent = 250
    /// How many bytes are sent at once, unless one line is longer. Bytes that were taken and not written yet may stay
    /// in memory longer than the window.
    private static let maximumSentSize = 64 << 10
    /// The most lines that wait to be sent, and bytes that are held. One more piece of input may be added to them.
    private static let maximumUnsentCount = 4000
    private static let maximumSize = 1 << 20
    /// Answered lines are dropped when there are this many, or when the window is full and a quarter of its lines is
    /// answered: dropping moves the other lines each time.
    private static let maximumAnsweredCount = 4096

    private typealias Giver = CheckedContinuation<Void, any Error>
    private typealias Taker = CheckedContinuation<LineBatch?, any Error>

    /// The task to resume after a change of the state, and its result. Determined under the lock and resumed outside
    /// it: the resumed task may run at once, and may call the window.
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
        /// How many lines were dropped.
        var forgotten = 0
        var connection = 0
        var hasEnded = false
        var isClosed = false
        var giver: Giver?
        var taker: Taker?

        var hasRoom: Bool {
            lines.count - sent <= LineWindow.maximumUnsentCount && lines.byteCount <= LineWindow.maximumSize
        }

        var lettingGoPays: Bool {
            answered >= LineWindow.maximumAnsweredCount || !hasRoom && answered >= (lines.count + 3) / 4
        }

        var isDone: Bool { hasEnded && answered == lines.count }
    }

    /// Guards the lines and the waiting tasks. A continuation is taken out before it is resumed, so each is resumed
    /// once.
    private let state = Mutex(State())

    package init() {}

    /// How many lines are answered, counted from the very first.
    package var answeredCount: Int { state.withLock { $0.forgotten + $0.answered } }

    /// How many lines were sent on the present connection or answered before, counted from the very first.
    package var sentCount: Int { state.withLock { $0.forgotten + $0.sent } }

    /// Whether a line was sent and is not answered yet.
    var isWaitingForAnswers: Bool { state.withLock { $0.sent > $0.answered } }

    /// Whether at least `count` lines were sent and are not answered yet.
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

    /// No more lines follow.
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
    /// The task that takes lines gets the end of the sequence. The HTTP client writes a body in a task that it never
    /// cancels: without an end, that task and its request would wait for lines as long as the process runs. The task
    /// that gives lines waits until it is cancelled, so that it does not take the close for a failure of its own.
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

    /// From now on every line without an answer is sent again.
    /// - Returns: the number of the new connection, for ``take(on:)``.
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
    /// - Throws: `CancellationError` if the connection was given up, and once the window is closed.
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

    /// - Returns: `false` if `count` is more than were sent.
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
        let end = min(state.lines.count, state.answered + maximumUnansweredCount)
        if state.sent < end {
            let isAwaited = end == state.lines.count || state.sent == state.answered
            guard isAwaited || end - state.sent >= fewestSent else { return Wakening() }
            state.taker = nil
            let count = state.lines.count(of: state.sent..<end, within: maximumSentSize)
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
