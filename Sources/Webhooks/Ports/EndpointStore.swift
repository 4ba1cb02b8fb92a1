package import Consent
package import Identifiers

/// Keeps the endpoints of organizations. May be called at once from anywhere. What a call wrote is durable on return.
package protocol EndpointStore: Sendable {
    /// Makes an endpoint that gets what is committed from now on.
    /// - Parameter secret: sealed.
    /// - Returns: `nil` for an unknown organization.
    /// - Throws: ``TooManyEndpoints``
    func create(
        _ new: NewEndpoint, secret: [UInt8], in organization: OrganizationID, at now: Timestamp
    ) async throws -> Endpoint?

    /// All of an organization, the oldest first; `nil` for an unknown one.
    func endpoints(of organization: OrganizationID) async throws -> [Endpoint]?

    func endpoint(_ id: EndpointID, in organization: OrganizationID) async throws -> Endpoint?

    /// - Returns: `nil` when there is no such endpoint, as of the calls below.
    func change(
        _ id: EndpointID, in organization: OrganizationID, by change: EndpointChange
    ) async throws -> Endpoint?

    /// - Returns: whether there was one.
    func remove(_ id: EndpointID, in organization: OrganizationID) async throws -> Bool

    /// Switches an endpoint off, or on again: then it goes on where it stopped, at once.
    func setEnabled(
        _ isEnabled: Bool, _ id: EndpointID, in organization: OrganizationID, at now: Timestamp
    ) async throws -> Endpoint?

    /// Gives an endpoint another secret. Deliveries are signed with the one before as well for a day. A further rotation
    /// within that day replaces the new secret alone: the one before counts for a day from then.
    func rotate(
        _ id: EndpointID, to secret: [UInt8], in organization: OrganizationID, at now: Timestamp
    ) async throws -> Endpoint?

    /// Puts an endpoint to another place of the consent feed: what stands behind it is delivered, once more or not at all.
    func replay(
        _ id: EndpointID, from place: ConsentFeedPlace?, in organization: OrganizationID, at now: Timestamp
    ) async throws -> Endpoint?

    /// Has a test event sent to an endpoint, behind the events that wait, and has the first of them tried now.
    /// - Throws: ``EndpointIsOff``
    func test(_ id: EndpointID, in organization: OrganizationID, at now: Timestamp) async throws -> WebhookEvent?

    /// The last ones, the oldest first.
    func attempts(of id: EndpointID, in organization: OrganizationID) async throws -> [DeliveryAttempt]?
}
