package import Webhooks

/// What a relay took, and since when it has it.
package struct TakenDeliveries: Sendable {
    package let deliveries: [Delivery]
    /// How long the request had waited when the deliveries were leased, or less. So the relay knows by its own clock
    /// when they were: not before its request, and this wait.
    package let waited: Duration
}
