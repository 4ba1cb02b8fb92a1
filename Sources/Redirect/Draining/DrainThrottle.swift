/// Decides when the drain empties the spool, and when it leaves the processors to readers.
///
/// Bringing a click into the store costs several times what recording it costs, and it can wait: a campaign's clicks
/// come within minutes, and the spool keeps them. So under load the drain rests, up to a bound, and catches up later.
/// It never rests while a caller waits for what is in the spool.
struct DrainThrottle {
    /// How long clicks gather before the drain takes them, and how long it rests before it looks again.
    static let interval = Duration.milliseconds(100)
    /// More clicks a second than this are load.
    static let busyRate = 5000.0
    /// A spool with more clicks than this is drained under any load: it takes about 80 MB, and a minute to drain.
    static let maximumBacklog = 2_000_000

    /// What the drain knows when it looks.
    struct Observation {
        /// How many occurrences the spool has taken since the process began.
        let spooled: Int
        /// How many occurrences are in the spool and not in the store.
        let backlog: Int
        /// Whether a caller waits until the backlog is stored.
        let isAwaited: Bool
        let time: ContinuousClock.Instant
    }

    private var isBusy = false
    private var spooled: Int
    private var time: ContinuousClock.Instant

    /// - Parameter spooled: as of `time`, from which the rate is measured.
    init(spooled: Int, at time: ContinuousClock.Instant) {
        self.spooled = spooled
        self.time = time
    }

    /// Whether the drain must rest now. Within half an interval the rate is the one measured before.
    mutating func rests(_ now: Observation) -> Bool {
        let passed = time.duration(to: now.time)
        if passed >= Self.interval / 2 {
            isBusy = Double(now.spooled - spooled) / (passed / .seconds(1)) > Self.busyRate
            (spooled, time) = (now.spooled, now.time)
        }
        return isBusy && !now.isAwaited && now.backlog < Self.maximumBacklog
    }
}
