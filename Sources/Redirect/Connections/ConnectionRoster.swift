import Counting
import NIOCore

/// The connections of one event loop, and how long each has gone without an answer.
///
/// Time is counted in ticks of the loop, not by a clock: a process that stood still for a minute has missed what its
/// clients sent, and must not blame them for it. Belongs to its event loop.
final class ConnectionRoster {
    /// How often the roster looks at its connections.
    private static let tickLength = TimeAmount.seconds(5)
    /// A connection on which nothing was answered for so many ticks is closed: be it idle, slow with its request or its
    /// body, or not reading what it was answered.
    private static let patience = 6
    /// The share of the connections that is closed when there are too many, so that nobody has to be looked for again
    /// with every one that comes.
    private static let shareClosed = 20

    /// The present, as far as connections are concerned.
    private(set) var tick = 0
    private let loop: any EventLoop
    private let limit: ConnectionLimit
    private let tally: RedirectTally
    private var watches: [ObjectIdentifier: ConnectionWatch] = [:]
    private var isTicking = false

    init(loop: any EventLoop, limit: ConnectionLimit, tally: RedirectTally) {
        self.loop = loop
        self.limit = limit
        self.tally = tally
    }

    func join(_ watch: ConnectionWatch) {
        if limit.open() { makeRoom() }
        watches[ObjectIdentifier(watch)] = watch
        scheduleTick()
    }

    func leave(_ watch: ConnectionWatch) {
        guard watches.removeValue(forKey: ObjectIdentifier(watch)) != nil else { return }
        limit.close()
    }

    /// Closes those that have gone longest without an answer, first of all those that never asked for anything whole.
    private func makeRoom() {
        let quietest = watches.values.sorted { one, other in
            (one.lastAnswer ?? -1, one.joined) < (other.lastAnswer ?? -1, other.joined)
        }
        for watch in quietest.prefix(max(1, quietest.count / Self.shareClosed)) {
            tally.refused.add(1, .crowded)
            watch.close()
        }
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
        for watch in Array(watches.values) where tick - (watch.lastAnswer ?? watch.joined) > Self.patience {
            tally.refused.add(watch.isMidRequest ? 1 : 0, .slow)
            watch.close()
        }
        scheduleTick()
    }
}
