import ConsentLinkClient
import Webhooks

/// Gets deliveries in the state in which they may be written to a connection: their body is young.
///
/// A recipient may be erased, and an endpoint changed or deleted, while the relay looks a name up, connects, or waits for
/// another attempt to end.
struct CurrentDelivery: Sendable {
    /// An older body is rendered again before it is sent.
    static let age = Duration.seconds(1)

    let calls: ServiceCalls
    let now: @Sendable () -> ContinuousClock.Instant

    /// - Returns: the delivery, or the same one rendered again if its body is older than a second.
    /// - Throws: `SendingResult.Reason`
    func young(_ delivery: RelayedDelivery) async throws(SendingResult.Reason) -> RelayedDelivery {
        guard now() - delivery.renderedSince > Self.age else { return delivery }
        let renewed = try await renewed(delivery.lease)
        // An endpoint with another URL has another lease.
        guard renewed.request.url == delivery.request.url else { throw .endpointChanged }
        return renewed
    }

    /// - Throws: `SendingResult.Reason`
    func renewed(_ lease: RelayedLease) async throws(SendingResult.Reason) -> RelayedDelivery {
        let renewed: RelayedDelivery
        do {
            renewed = try await calls.renew(lease.token)
        } catch {
            throw (error as? ConsentLinkError)?.problem?.status == 409 ? .endpointChanged : .notRenewed
        }
        // The machine may have been suspended meanwhile.
        guard now() - renewed.renderedSince <= ServiceCalls.renewalPatience else { throw .notRenewed }
        return renewed
    }
}
