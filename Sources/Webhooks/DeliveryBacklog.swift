package import Identifiers

/// The events that wait for relays at one moment.
package struct DeliveryBacklog: Hashable, Sendable {
    /// The due time of the event that has been due for the longest time: when it was committed, or when the pause of
    /// its endpoint ended; `nil` if no event is due. An event about interactions is due since the first of them that
    /// the endpoint was not told of.
    package private(set) var dueSince: Timestamp?
    /// Endpoints that get no events, because their row has a value that no version of the service writes.
    package var unreadable: Set<EndpointID> = []

    package init() {}

    package mutating func add(dueSince time: Timestamp) { dueSince = min(dueSince ?? time, time) }
}
