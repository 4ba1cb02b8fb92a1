import Synchronization

/// The connections that are used until the same end, such as that of a service.
///
/// Near the end a server that answers is still used, and one that is silent is not waited for. So from ``endSoon()``
/// on, connections whose answers are late are interrupted, and none is made any more once the server has turned out to
/// be away. After ``longestEnd``, or ``end()``, all are interrupted, and no call that waits for the server is left.
package final class ConnectionGroup: Sendable {
    /// How long an answer may take near the end.
    static let longestSilence = Duration.seconds(2)
    /// How long the end may take.
    static let longestEnd = Duration.seconds(3)
    private static let interval = Duration.milliseconds(50)

    private struct Member {
        weak var connection: PostgresConnection?
    }

    private struct State {
        var members: [ObjectIdentifier: Member] = [:]
        /// When the end began.
        var endBegan: ContinuousClock.Instant?
        /// Whether no connection is made any more.
        var isClosed = false
    }

    private let state = Mutex(State())

    init() {}

    /// Whether the end has begun: what fails now is not tried again.
    package var isEnding: Bool { state.withLock { $0.endBegan != nil } }

    /// Whether no connection is made any more.
    var isClosed: Bool {
        let now = ContinuousClock.now
        return state.withLock { state in
            state.isClosed || state.endBegan.map { now - $0 > Self.longestSilence } ?? false
        }
    }

    /// From now on the connection ends with the others.
    func entering(_ connection: PostgresConnection) -> PostgresConnection {
        connection.group = self
        let isOver = state.withLock { state in
            state.members[ObjectIdentifier(connection)] = Member(connection: connection)
            return state.isClosed
        }
        if isOver { connection.interrupt() }
        return connection
    }

    func leave(_ connection: PostgresConnection) {
        _ = state.withLock { $0.members.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    /// Notes that the server does not answer, or cannot be connected to.
    func noteFailure() { state.withLock { if $0.endBegan != nil { $0.isClosed = true } } }

    /// Begins the end. Returns at once; a thread of its own does the rest.
    package func endSoon() {
        let now = ContinuousClock.now
        let isFirst = state.withLock { state in
            defer { state.endBegan = state.endBegan ?? now }
            return state.endBegan == nil
        }
        guard isFirst else { return }
        // Without a thread nothing would wait for late answers, so no answer is waited for.
        guard let thread = PostgresThread(unlessShort: PostgresThread.create) else { return end() }
        thread.schedule { [self] in
            while ContinuousClock.now < now + Self.longestEnd {
                let late = members.filter { $0.interrupt(ifSilentFor: Self.longestSilence) }
                if !late.isEmpty { noteFailure() }
                PostgresThread.sleepHere(for: Self.interval)
            }
            end()
        }
    }

    /// Interrupts all connections at once, also those that are being made.
    package func end() {
        let now = ContinuousClock.now
        state.withLock { state in
            state.endBegan = state.endBegan ?? now
            state.isClosed = true
        }
        for connection in members { connection.interrupt() }
    }

    private var members: [PostgresConnection] {
        state.withLock { $0.members.values.compactMap(\.connection) }
    }
}
