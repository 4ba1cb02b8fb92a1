/// The rest of a quota of requests: it refills continuously, up to the requests of one minute.
struct RequestAllowance {
    let perMinute: Int
    private var left: Double
    private var filledAt: ContinuousClock.Instant

    /// Begins with the requests of one minute.
    init(perMinute: Int, at now: ContinuousClock.Instant) {
        self.perMinute = perMinute
        left = Double(perMinute)
        filledAt = now
    }

    /// Takes one request from it.
    /// - Returns: `nil` if one was taken; otherwise the seconds until the next one is available.
    mutating func consume(at now: ContinuousClock.Instant) -> Int? {
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
