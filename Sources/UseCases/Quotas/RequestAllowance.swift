/// What is left of a quota of requests: it refills all the time, and at most a minute's worth waits to be used.
struct RequestAllowance {
    let perMinute: Int
    private var left: Double
    private var filledAt: ContinuousClock.Instant

    /// Begins with a whole minute's worth.
    init(perMinute: Int, at now: ContinuousClock.Instant) {
        self.perMinute = perMinute
        left = Double(perMinute)
        filledAt = now
    }

    /// Takes one request from it.
    /// - Returns: in seconds, after how long the next one will be there; `nil` when one was taken.
    mutating func take(at now: ContinuousClock.Instant) -> Int? {
        let perSecond = Double(perMinute) / 60
        if now > filledAt {
            left = min(Double(perMinute), left + (now - filledAt) / .seconds(1) * perSecond)
            filledAt = now
        }
        guard left < 1 else {
            left -= 1
            return nil
        }
        return Int(((1 - left) / perSecond).rounded(.up))
    }
}
