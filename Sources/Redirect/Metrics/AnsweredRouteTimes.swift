package import Formats

/// Counts and times requests that are answered before the router, as the router's own are. Called on any event loop.
package protocol AnsweredRouteTimes: Sendable {
    /// A request waits for its answer.
    func began(_ route: AnsweredRoute)
    /// The wait of a request is over, whatever its outcome.
    func ended(_ route: AnsweredRoute)
    /// A request was answered with success.
    func answered(_ route: AnsweredRoute, nanoseconds: Int64)
}

/// The route that the router would have used.
package enum AnsweredRoute: Hashable, Sendable {
    case report(ReportRoute)
    case picture
}

/// The route of a device's report.
package struct ReportRoute: Hashable, Sendable {
    package let endpoint: DeviceEndpoint
    /// `true` for `GET`, `false` for `POST`.
    package let isGet: Bool
}
