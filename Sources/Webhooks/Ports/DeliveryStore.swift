package import Identifiers

/// What relays ask for. May be called at once from anywhere.
package protocol DeliveryStore: Sendable {
    /// Leases the next event of each endpoint of an organization that has one which is due. An endpoint that cannot be
    /// read is passed over. Of an endpoint one event is
    /// leased at a time, and a process takes back at once what an earlier one of the same relay held. Writes nothing when
    /// there is none.
    /// - Throws: ``RelayIsSuperseded`` when a later process of the same relay had a lease in the last minutes.
    func lease(
        to relay: RelayIdentity, limit: Int, in organization: OrganizationID, at now: Timestamp
    ) async throws -> LeasedEvents

    /// Notes what became of a delivery.
    /// - Parameters:
    ///   - jitter: from -1 to 1, for the pause after a failure.
    ///   - leasesNext: whether the next event of its endpoint is leased to the same relay.
    /// - Throws: ``LeaseEnded`` when another relay may have the event by now, or the endpoint was changed;
    ///   ``RelayIsSuperseded`` when it may be a later process of the same relay.
    func report(
        _ outcome: DeliveryOutcome, of token: [UInt8], milliseconds: Int, jitter: Double, leasingNext leasesNext: Bool,
        to relay: RelayIdentity, in organization: OrganizationID, at now: Timestamp
    ) async throws -> DeliveryReport

    /// How many endpoints there are in each state, of all organizations.
    func counts() async throws -> [EndpointState: Int]

    /// What waits for relays, of all organizations.
    func backlog(at now: Timestamp) async throws -> DeliveryBacklog
}
