/// How often the spool commits while many clicks come.
///
/// A commit takes about as much of the processor for one click as for a hundred. At most times a click commits at once.
/// While many come, a commit starts ``interval`` after the one before it did, so that more clicks share it.
struct CommitPace: Sendable {
    /// Many come while there is at least one in this time: 16,000 a second.
    private static let timeOfOneAmongMany = Duration.nanoseconds(62_500)

    /// The least time from the start of one commit to that of the next one, while many clicks come.
    private let interval: Duration
    private var lastBegin: ContinuousClock.Instant?

    init(interval: Duration = .microseconds(750)) { self.interval = interval }

    /// Must be called after each commit.
    ///
    /// - Parameters:
    ///   - count: the occurrences of the commit.
    ///   - begin: when it started.
    ///   - end: when it was done.
    /// - Returns: how long to wait before the next one; `nil` to start it as soon as something waits.
    mutating func rest(
        afterCommitOf count: Int, from begin: ContinuousClock.Instant, to end: ContinuousClock.Instant
    ) -> Duration? {
        defer { lastBegin = begin }
        guard let lastBegin, begin - lastBegin < Self.timeOfOneAmongMany * count else { return nil }
        let rest = interval - (end - begin)
        return rest > .zero ? rest : nil
    }
}
