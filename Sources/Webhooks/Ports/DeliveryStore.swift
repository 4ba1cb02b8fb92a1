package import Identifiers

/// The store for the requests of relays. All calls may be concurrent.
package protocol DeliveryStore: Sendable {
    /// Leases the next due event of each endpoint of an organization. An endpoint that cannot be read is skipped. Only
    /// one event of an endpoint is leased at a time; a process takes over at once the leases of an earlier process of
    /// its relay. Writes nothing if there is no event.
    /// - Throws: ``RelayIsSuperseded`` if a later process of the same relay had a lease in the last minutes.
    func lease(
        to relay: RelayIdentity, limit: Int, in organization: OrganizationID, at now: Timestamp
    ) async throws -> LeasedEvents

    /// Leases the next event of an endpoint again, for a relay that has its lease and has sent nothing yet: the event
    /// and the endpoint as they are now.
    /// - Returns: the event with the same token, and a lease that begins now.
    /// - Throws: ``LeaseEnded`` if another relay may have the event by now, if the endpoint was changed, disabled or
    ///   removed, or if it has no event any more; ``RelayIsSuperseded`` if a later process of the same relay delivers.
    func renew(
        _ token: [UInt8], by relay: RelayIdentity, in organization: OrganizationID, at now: Timestamp
    ) async throws -> LeasedEvent

    /// Notes the result of a delivery.
    /// - Parameters:
    ///   - jitter: from -1 to 1, for the pause after a failure.
    ///   - leasesNext: whether the next event of its endpoint is leased to the same relay.
    /// - Throws: ``LeaseEnded`` if another relay may have the event by now, or if the endpoint was changed;
    ///   ``RelayIsSuperseded`` if that may be a later process of the same relay.
    func report(
        _ outcome: DeliveryOutcome, of token: [UInt8], milliseconds: Int, jitter: Double, leasingNext leasesNext: Bool,
        to relay: RelayIdentity, in organization: OrganizationID, at now: Timestamp
    ) async throws -> DeliveryReport

    /// The number of endpoints in each state, of all organizations.
    func counts() async throws -> [EndpointState: Int]

    /// The events that wait for relays or for the end of a pause, of all organizations.
    func backlog(at now: Timestamp) async throws -> DeliveryBacklog
}
