import StoragePorts

/// For how long seals could not be demanded, and which reasons the log has.
struct SealDelay {
    static let patience = Duration.seconds(60)

    /// Other failures continue a failure, and other nodes a wait.
    private var current: (isFailure: Bool, since: ContinuousClock.Instant)?
    private var told: Set<SealObstacle> = []

    var isTold: Bool { !told.isEmpty }

    /// Notes an attempt that did not succeed.
    /// - Parameter instant: when it ended.
    /// - Returns: whether the log should have its reason: attempts have failed, or a node was waited for, for longer
    ///   than ``patience``, and the log does not have that reason yet.
    mutating func note(_ obstacle: SealObstacle, at instant: ContinuousClock.Instant) -> Bool {
        let isFailure = if case .failure = obstacle { true } else { false }
        guard let current, current.isFailure == isFailure else {
            current = (isFailure, instant)
            return false
        }
        return instant - current.since > Self.patience && told.insert(obstacle).inserted
    }
}
