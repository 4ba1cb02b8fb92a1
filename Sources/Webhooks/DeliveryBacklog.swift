package import Identifiers

/// What waits for relays at one moment.
package struct DeliveryBacklog: Hashable, Sendable {
    /// Since when the event has been due that has been so for the longest time: since it was committed, or since the pause
    /// of its endpoint ended. `nil` when nothing is due.
    package private(set) var dueSince: Timestamp?
    /// Endpoints that get nothing, because a value in their row is one that no version of the service writes.
    package var unreadable: Set<EndpointID> = []

    package init() {}

    package mutating func add(dueSince time: Timestamp) { dueSince = min(dueSince ?? time, time) }
}
