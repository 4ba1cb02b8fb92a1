/// How long to wait before each further connection while nothing is answered.
struct Pauses {
    private static let first = Duration.milliseconds(100)
    private static let longest = Duration.seconds(5)

    private let begin = ContinuousClock.now
    private var pause = Self.first

    /// `nil` once it has taken too long.
    mutating func next(within patience: Duration) -> Duration? {
        guard begin.duration(to: .now) < patience else { return nil }
        defer { pause = min(pause * 2, Self.longest) }
        return pause
    }
}
