/// How much of the service an organization may use. The operator sets it.
package struct Quotas: Hashable, Sendable {
    package static let allowed = 1...1_000_000_000
    package static let unlimited = Quotas(requestsPerMinute: nil, interactions: nil)

    /// Requests with the organization's keys; `nil` for any number.
    package let requestsPerMinute: Int?
    /// Interactions in the store, after which none is recorded; `nil` for any number.
    package let interactions: Int?

    package init(requestsPerMinute: Int?, interactions: Int?) {
        self.requestsPerMinute = requestsPerMinute
        self.interactions = interactions
    }
}
