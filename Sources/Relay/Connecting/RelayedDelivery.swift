/// A delivery from the service to a relay. It is only in memory until its result is reported.
struct RelayedDelivery: Sendable {
    let lease: RelayedLease
    let request: SignedRequest
    /// The service rendered the body at this time or later.
    let renderedSince: ContinuousClock.Instant
}

/// The right to deliver the next event of an endpoint, without the event.
struct RelayedLease: Hashable, Sendable {
    let token: String
    let endpoint: String
    /// After this time another relay may have the event.
    let end: ContinuousClock.Instant
}
