/// When the drain goes for what is in the spool, and when it leaves the machine to those who click.
///
/// Bringing a click into the store costs several times what recording it costs, and it can wait: a campaign's clicks
/// come within minutes, and the spool keeps them. So under load the drain rests, up to a bound, and catches up after.
/// It never rests while somebody waits for what is in the spool.
struct DrainPace {
    /// How long clicks gather before the drain goes for them, and how long it rests before it looks again.
    static let look = Duration.milliseconds(100)
    /// More clicks than this in a second are load.
    static let busyRate = 5000.0
    /// A spool with more clicks than this is drained whatever the load: it takes about 80 MB, and a minute to drain.
    static let maximumBacklog = 2_000_000

    enum Step: Equatable {
        case drain
        case rest
    }

    private var isBusy = false
    private var seen: Observation

    /// How many occurrences the spool had taken at a moment of a clock that only goes on.
    struct Observation {
        let spooled: Int
        let moment: ContinuousClock.Instant
    }

    init(from start: Observation) { seen = start }

    /// - Parameters:
    ///   - backlog: how many occurrences are in the spool and not in the store.
    ///   - isAwaited: whether somebody waits until they are.
    mutating func step(_ now: Observation, backlog: Int, isAwaited: Bool) -> Step {
        let time = seen.moment.duration(to: now.moment)
        if time >= Self.look / 2 {
            isBusy = Double(now.spooled - seen.spooled) / (time / .seconds(1)) > Self.busyRate
            seen = now
        }
        return isBusy && !isAwaited && backlog < Self.maximumBacklog ? .rest : .drain
    }
}
