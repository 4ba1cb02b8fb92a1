package import HTTPConnections
package import Identifiers
package import TrackingIDs

/// What the redirect needs on every event loop, and shares among them.
package struct RedirectResources: Sendable {
    let directory: LinkDirectory
    let keys: CurrentKeyRing
    let writer: SpoolWriter
    let limit: ConnectionLimit
    let clock: @Sendable () -> Timestamp
    let report: @Sendable (RedirectFault) -> Void

    /// - Parameters:
    ///   - limit: how many connections the listener may have.
    ///   - clock: the service time.
    ///   - report: is called with each fault, on any event loop; must return at once.
    package init(
        directory: LinkDirectory, keys: CurrentKeyRing, writer: SpoolWriter, limit: ConnectionLimit = ConnectionLimit(),
        clock: @escaping @Sendable () -> Timestamp, report: @escaping @Sendable (RedirectFault) -> Void
    ) {
        self.directory = directory
        self.keys = keys
        self.writer = writer
        self.limit = limit
        self.clock = clock
        self.report = report
    }
}
