/// When a request was sent and answered, by a clock that continues while the machine is suspended.
struct ServiceExchange: Sendable {
    let sent: ContinuousClock.Instant
    let answered: ContinuousClock.Instant

    /// The earliest time at which the service can have leased the events in the answer.
    /// - Parameter waited: how long the request had waited at the service by then; `nil` if an earlier version of the
    ///   service does not state it.
    func leaseBegin(waited: Duration?) -> ContinuousClock.Instant {
        guard let waited else { return answered }
        return min(sent + max(waited, .zero), answered)
    }
}
