package import Counting
package import NIOCore

/// A connection as its registry sees it. Called on its event loop.
protocol RegisteredConnection: AnyObject {
    /// In the order in which connections were added.
    var number: Int { get }
    /// The registry's tick at which it was added.
    var addedAt: Int { get }
    /// The tick of the last answer; `nil` before the first.
    var lastAnswer: Int? { get }
    /// Whether something has come after the last answer.
    var isMidRequest: Bool { get }
    /// Whether a whole request waits for its answer.
    var isOwed: Bool { get }

    /// Whether the connection has kept the listener waiting for longer than `timeout` allows.
    func hasExceeded(_ timeout: ConnectionTimeout) -> Bool
    /// Tells the connection that the server is about to end.
    func quiesce()
    func close()
}

/// The connections of one listener on one event loop, and how long each has gone without an answer.
///
/// Time is counted in ticks of the loop, not by a clock: a process that was suspended for a minute has missed what its
/// clients sent, and must not close their connections because of that. Belongs to its event loop.
package final class ConnectionRegistry {
    /// How often the registry checks its connections.
    private static let tickLength = TimeAmount.seconds(5)
    /// When there are too many connections, one in this many is closed, so that the next ones need no search.
    private static let shareClosed = 20

    /// The current time, in ticks.
    private(set) var tick = 0
    /// The service is about to end: every answer is the last one of its connection.
    package private(set) var isLeaving = false
    private var isQuiescing = false
    private var isClosed = false
    private let loop: any EventLoop
    private let limit: ConnectionLimit
    private let timeout: ConnectionTimeout
    private let refused: CaseCounters<RefusedConnection>
    private var connections: [ObjectIdentifier: any RegisteredConnection] = [:]
    private var lastNumber = 0
    private var isTicking = false

    package init(
        loop: any EventLoop, limit: ConnectionLimit, timeout: ConnectionTimeout,
        refused: CaseCounters<RefusedConnection>
    ) {
        self.loop = loop
        self.limit = limit
        self.timeout = timeout
        self.refused = refused
    }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func add(_ connection: any RegisteredConnection) {
        if limit.open() { makeRoom() }
        connections[ObjectIdentifier(connection)] = connection
        scheduleTick()
        guard isQuiescing || isClosed else { return }
        let connection = NIOLoopBound((self, connection), eventLoop: loop)
        loop.execute {
            let (registry, connection) = connection.value
            if registry.isClosed { connection.close() } else { connection.quiesce() }
        }
    }

    func remove(_ connection: any RegisteredConnection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        limit.close()
    }

    /// From now on, connections end with their next answer.
    package func beginLeaving() { isLeaving = true }

    /// Tells all connections, and those that are added later, that the server is about to end.
    package func quiesce() {
        isLeaving = true
        isQuiescing = true
        for connection in Array(connections.values) { connection.quiesce() }
    }

    /// Closes all connections now, and those that are added later.
    package func closeAll() {
        isClosed = true
        for connection in Array(connections.values) { connection.close() }
    }

    /// Closes a share of the connections, in this order: those without an answer that are older than a tick, those that
    /// have gone longest without one, and the oldest of the others. Never closes one that is owed an answer.
    private func makeRoom() {
        let closable = connections.values.filter { !$0.isOwed }.map { (rank: rank(of: $0), connection: $0) }
        let first = closable.sorted { $0.rank < $1.rank }
        for (_, connection) in first.prefix(max(1, connections.count / Self.shareClosed)) {
            refused.add(1, .crowded)
            connection.close()
        }
    }

    /// Connections with a lower rank are closed first.
    private func rank(of connection: any RegisteredConnection) -> (Int, Int, Int) {
        if let lastAnswer = connection.lastAnswer { return (1, lastAnswer, connection.number) }
        // A connection that was added within the last tick may be some milliseconds old.
        return (tick - connection.addedAt > 1 ? 0 : 2, connection.addedAt, connection.number)
    }

    private func scheduleTick() {
        guard !isTicking, !connections.isEmpty else { return }
        isTicking = true
        let registry = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: Self.tickLength) { registry.value.nextTick() }
    }

    private func nextTick() {
        isTicking = false
        tick += 1
        for connection in Array(connections.values) where connection.hasExceeded(timeout) {
            refused.add(connection.isMidRequest ? 1 : 0, .slow)
            connection.close()
        }
        scheduleTick()
    }
}
