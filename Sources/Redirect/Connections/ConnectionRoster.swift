import Counting
import NIOCore

/// The connections of one listener on one event loop, and how long each has gone without an answer.
///
/// Time is counted in ticks of the loop, not by a clock: a process that stood still for a minute has missed what its
/// clients sent, and must not blame them for it. Belongs to its event loop.
final class ConnectionRoster {
    /// How often the roster looks at its connections.
    private static let tickLength = TimeAmount.seconds(5)
    /// The share of the connections that is closed when there are too many, so that the next ones that come need no
    /// search.
    private static let shareClosed = 20

    /// The present, as far as connections are concerned.
    private(set) var tick = 0
    /// The service is about to end: every answer is the last one of its connection.
    private(set) var isLeaving = false
    private var isQuiescing = false
    private let loop: any EventLoop
    private let limit: ConnectionLimit
    private let patience: ConnectionPatience
    private let refused: CaseCounters<RefusedConnection>
    private var watches: [ObjectIdentifier: ConnectionWatch] = [:]
    private var lastNumber = 0
    private var isTicking = false

    init(
        loop: any EventLoop, limit: ConnectionLimit, patience: ConnectionPatience,
        refused: CaseCounters<RefusedConnection>
    ) {
        self.loop = loop
        self.limit = limit
        self.patience = patience
        self.refused = refused
    }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func join(_ watch: ConnectionWatch) {
        if limit.open() { makeRoom() }
        watches[ObjectIdentifier(watch)] = watch
        scheduleTick()
        guard isQuiescing else { return }
        let watch = NIOLoopBound(watch, eventLoop: loop)
        loop.execute { watch.value.quiesce() }
    }

    func leave(_ watch: ConnectionWatch) {
        guard watches.removeValue(forKey: ObjectIdentifier(watch)) != nil else { return }
        limit.close()
    }

    /// From now on, connections end with their next answer.
    func beginLeaving() { isLeaving = true }

    /// Tells all connections, and those that join later, that the server is about to end.
    func quiesce() {
        isLeaving = true
        isQuiescing = true
        for watch in Array(watches.values) { watch.quiesce() }
    }

    /// Closes a share of the connections, in this order: those without an answer that are older than a tick, those that
    /// have gone longest without one, and the oldest of the others. Never one that is owed an answer.
    private func makeRoom() {
        let closable = watches.values.filter { !$0.isOwed }.map { (rank: rank(of: $0), watch: $0) }
        let first = closable.sorted { $0.rank < $1.rank }
        for (_, watch) in first.prefix(max(1, watches.count / Self.shareClosed)) {
            refused.add(1, .crowded)
            watch.close()
        }
    }

    /// The lower, the sooner a connection makes room.
    private func rank(of watch: ConnectionWatch) -> (Int, Int, Int) {
        if let lastAnswer = watch.lastAnswer { return (1, lastAnswer, watch.number) }
        // Of a connection that came in the last tick, some milliseconds may have passed.
        return (tick - watch.joined > 1 ? 0 : 2, watch.joined, watch.number)
    }

    private func scheduleTick() {
        guard !isTicking, !watches.isEmpty else { return }
        isTicking = true
        let roster = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: Self.tickLength) { roster.value.nextTick() }
    }

    private func nextTick() {
        isTicking = false
        tick += 1
        for watch in Array(watches.values) where watch.isOver(patience) {
            refused.add(watch.isMidRequest ? 1 : 0, .slow)
            watch.close()
        }
        scheduleTick()
    }
}
