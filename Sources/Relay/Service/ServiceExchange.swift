/// When a request was sent and answered, by a clock that goes on while the machine is suspended.
struct ServiceExchange: Sendable {
    let sent: ContinuousClock.Instant
    let answered: ContinuousClock.Instant

    /// The earliest moment at which the service can have leased what is in the answer.
    /// - Parameter waited: how long the request had waited at the service by then; `nil` when the service, of a version
    ///   before, does not say so.
    func leaseBegin(waited: Duration?) -> ContinuousClock.Instant {
        guard let waited else { return answered }
        return min(sent + max(waited, .zero), answered)
    }
}
