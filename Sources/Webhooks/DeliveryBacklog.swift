package import Identifiers

/// The events that wait for relays at one moment, and those that wait for the end of a pause.
package struct DeliveryBacklog: Hashable, Sendable {
    /// The due time of the event that has been due for the longest time: when it was committed, or when the pause of
    /// its endpoint ended; `nil` if no event is due. An event about interactions is due since the first of them that
    /// the endpoint was not told of.
    package private(set) var dueSince: Timestamp?
    /// When the oldest event was committed that an enabled endpoint has not taken, whether it is due or its endpoint
    /// pauses after a failure; `nil` if there is none. Of interactions the first counts, as for ``dueSince``.
    package private(set) var oldestEvent: Timestamp?
    /// Endpoints that get no events, because their row has a value that no version of the service writes.
    package var unreadable: Set<EndpointID> = []

    package init() {}

    /// Adds the events of an enabled endpoint.
    /// - Parameters:
    ///   - time: when the oldest of them was committed.
    ///   - dueAt: the endpoint gets nothing before this time.
    package mutating func add(oldest time: Timestamp, dueAt: Timestamp, at now: Timestamp) {
        oldestEvent = min(oldestEvent ?? time, time)
        guard dueAt <= now else { return }
        let due = max(time, dueAt)
        dueSince = min(dueSince ?? due, due)
    }
}
