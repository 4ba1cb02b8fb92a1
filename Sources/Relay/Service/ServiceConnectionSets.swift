import ConsentLinkClient

/// The connections of a relay to the service.
///
/// Each organization has one request that waits for new events. Reports and deliveries that are rendered again must not
/// wait for one of those to end, so they have connections of their own.
struct ServiceConnectionSets: Sendable {
    /// The greatest number of requests that wait for new events at the service at once. Requests of further
    /// organizations are refused, and sent again.
    static let waitingLimit = 512
    /// More than the calls of a relay that the service can serve at once.
    private static let reportLimit = 256

    let takes: ServiceConnections
    let reports: ServiceConnections

    init(organizations: Int) {
        // More than one each: a connection that is being closed counts.
        takes = ServiceConnections(limit: organizations + 8)
        reports = ServiceConnections(limit: Self.reportLimit)
    }
}
