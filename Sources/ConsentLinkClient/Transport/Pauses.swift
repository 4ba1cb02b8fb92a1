/// How long to wait before each further connection while nothing is answered.
package struct Pauses {
    private static let first = Duration.milliseconds(100)
    private static let longest = Duration.seconds(5)

    private var begin = ContinuousClock.now
    private var pause: Duration

    /// - Parameter atOnce: whether the first retry does not wait: for a connection that broke after it had brought
    ///   answers, because the service was reachable a moment ago.
    package init(atOnce: Bool = false) { pause = atOnce ? .zero : Self.first }

    /// How much of `patience` is left.
    package func rest(of patience: Duration) -> Duration { max(patience - begin.duration(to: .now), .zero) }

    /// Leaves out time in which no answer was due.
    mutating func leaveOut(_ time: Duration) { begin = min(begin.advanced(by: time), .now) }

    /// - Parameter least: the pause that the service asks for (`Retry-After`); at most `patience` is waited.
    /// - Returns: `nil` once `patience` is used up.
    package mutating func next(within patience: Duration, least: Duration = .zero) -> Duration? {
        guard rest(of: patience) > .zero else { return nil }
        defer { pause = min(max(pause * 2, Self.first), Self.longest) }
        return max(pause, min(least, patience))
    }
}
