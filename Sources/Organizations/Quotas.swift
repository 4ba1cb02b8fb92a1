/// The limits on how much of the service an organization may use. The operator sets them.
package struct Quotas: Hashable, Sendable {
    package static let allowed = 1...1_000_000_000
    package static let unlimited = Quotas(requestsPerMinute: nil, interactions: nil)

    /// Requests with the organization's keys, per minute; `nil` for no limit.
    package let requestsPerMinute: Int?
    /// The greatest number of stored interactions: no more are recorded once it is reached; `nil` for no limit.
    package let interactions: Int?

    package init(requestsPerMinute: Int?, interactions: Int?) {
        self.requestsPerMinute = requestsPerMinute
        self.interactions = interactions
    }
}
