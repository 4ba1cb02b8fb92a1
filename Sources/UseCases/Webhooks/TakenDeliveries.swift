package import Webhooks

/// The deliveries that a relay got, and when.
package struct TakenDeliveries: Sendable {
    package let deliveries: [Delivery]
    /// A lower bound for how long the request had waited when the deliveries were leased. From it the relay knows, by
    /// its own clock, the earliest time of the lease: the time of its request plus this wait.
    package let waited: Duration
}
