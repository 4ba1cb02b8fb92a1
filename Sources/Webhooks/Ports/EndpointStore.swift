package import Consent
package import Identifiers

/// Stores the endpoints of organizations. All calls may be concurrent. Writes are durable when the call returns.
package protocol EndpointStore: Sendable {
    /// Makes an endpoint that gets the events that are committed from now on.
    /// - Parameter secret: sealed.
    /// - Returns: `nil` for an unknown organization.
    /// - Throws: ``TooManyEndpoints``
    func create(
        _ new: NewEndpoint, secret: [UInt8], in organization: OrganizationID, at now: Timestamp
    ) async throws -> Endpoint?

    /// All endpoints of an organization, the oldest first; `nil` for an unknown organization.
    func endpoints(of organization: OrganizationID) async throws -> [Endpoint]?

    /// The endpoint with `id`; `nil` if the organization does not have it.
    func endpoint(_ id: EndpointID, in organization: OrganizationID) async throws -> Endpoint?

    /// Changes an endpoint. With another URL the next attempt is due now, and failures of the former one do not count.
    /// - Parameter mayReadRecipients: whether the caller may. It is compared with the endpoint in the transaction that
    ///   changes it.
    /// - Returns: `nil` if there is no such endpoint. The same holds for the calls below.
    /// - Throws: ``RecipientsNotPermitted`` if the caller may not read recipients and
    ///   ``EndpointChange/sendsRecipients(from:)`` holds.
    func change(
        _ id: EndpointID, in organization: OrganizationID, by change: EndpointChange, mayReadRecipients: Bool,
        at now: Timestamp
    ) async throws -> Endpoint?

    /// - Returns: whether there was one.
    func remove(_ id: EndpointID, in organization: OrganizationID) async throws -> Bool

    /// Disables an endpoint, or enables it again: then it continues at once where it stopped.
    func setEnabled(
        _ isEnabled: Bool, _ id: EndpointID, in organization: OrganizationID, at now: Timestamp
    ) async throws -> Endpoint?

    /// Gives an endpoint another secret. For a day, deliveries are also signed with the previous one. A further
    /// rotation within that day replaces only the new secret: the previous one stays valid for a day from then.
    func rotate(
        _ id: EndpointID, to secret: [UInt8], in organization: OrganizationID, at now: Timestamp
    ) async throws -> Endpoint?

    /// Moves an endpoint to another position in the consent feed. Items behind it are delivered, some perhaps again;
    /// items before it are not.
    /// - Parameter mayReadRecipients: as in ``change(_:in:by:mayReadRecipients:at:)``.
    /// - Throws: ``RecipientsNotPermitted`` if the caller may not read recipients and the endpoint includes them;
    ///   `ConsentFeedCursorError` if the feed does not have the item of the position.
    func replay(
        _ id: EndpointID, from position: ConsentFeedPosition?, in organization: OrganizationID,
        mayReadRecipients: Bool, at now: Timestamp
    ) async throws -> Endpoint?

    /// Sends a test event to an endpoint, behind the events that wait, and makes the first of them due now. While a test
    /// waits, a further request adds none.
    /// - Returns: the test that waits.
    /// - Throws: ``EndpointDisabled``
    func test(_ id: EndpointID, in organization: OrganizationID, at now: Timestamp) async throws -> WebhookEvent?

    /// The last attempts, the oldest first.
    func attempts(of id: EndpointID, in organization: OrganizationID) async throws -> [DeliveryAttempt]?
}
