package import Identifiers
package import Logging
package import Webhooks

/// Gives relays the next deliveries, rendered and signed, and notes their results.
///
/// A secret never leaves the service, and a relay has a body only while it sends it.
package struct EndpointDeliveries: Sendable {
    private static let minimumPause = Duration.milliseconds(250)

    private let store: any DeliveryStore
    private let secrets: EndpointSecrets
    private let watch: FeedWatch
    private let now: @Sendable () -> Timestamp
    private let wallClock: @Sendable () -> Timestamp
    private let logger: Logger
    package let metrics = DeliveryMetrics()

    /// - Parameters:
    ///   - now: returns the service time, for leases and pauses.
    ///   - wallClock: returns the time with which deliveries are signed. Receivers compare it with their own clocks, so
    ///     it must go back when the system's clock is corrected.
    package init(
        store: any DeliveryStore, secrets: EndpointSecrets, watch: FeedWatch, now: @escaping @Sendable () -> Timestamp,
        wallClock: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.store = store
        self.secrets = secrets
        self.watch = watch
        self.now = now
        self.wallClock = wallClock
        self.logger = logger
    }

    /// The due deliveries, at most one for each endpoint. If there is none, waits for one.
    /// - Parameter access: the access of the caller. It is checked before each further lease: a relay whose key was
    ///   deleted while it waited gets no lease.
    /// - Throws: ``RequestRefusal/tooManyWait``, ``RequestRefusal/keyDeleted``; `RelayIsSuperseded`
    package func take(
        for relay: RelayIdentity, limit: Int, within wait: Duration, in organization: OrganizationID,
        _ validity: CallerValidity
    ) async throws -> TakenDeliveries {
        let start = ContinuousClock.now
        let deadline = start + wait
        while true {
            let waited = ContinuousClock.now - start
            let found = try await store.lease(to: relay, limit: limit, in: organization, at: now())
            let left = deadline - ContinuousClock.now
            guard found.events.isEmpty, left > .zero, !watch.hasEnded else {
                return try await taken(found.events, by: relay, after: waited, in: organization)
            }
            let pause = min(left, found.nextDue.map { max(until($0), Self.minimumPause) } ?? left)
            let later = try await watch.first(within: pause, in: organization) {
                try await validity.check()
                let waited = ContinuousClock.now - start
                let later = try await store.lease(to: relay, limit: limit, in: organization, at: now())
                // Something that failed meanwhile is due before this wait ends.
                return later.events.isEmpty && later.nextDue == found.nextDue ? nil : (later.events, waited)
            }
            if let (events, waited) = later, !events.isEmpty {
                return try await taken(events, by: relay, after: waited, in: organization)
            }
            try await validity.check()
        }
    }

    private func taken(
        _ events: [LeasedEvent], by relay: RelayIdentity, after waited: Duration, in organization: OrganizationID
    ) async throws -> TakenDeliveries {
        var deliveries: [Delivery] = []
        for leased in events {
            guard let delivery = try await delivery(leased, by: relay, in: organization) else { continue }
            deliveries.append(delivery)
        }
        return TakenDeliveries(deliveries: deliveries, waited: waited)
    }

    /// A delivery that a relay has and has not sent yet, rendered and signed again. Its lease begins again.
    /// - Throws: `LeaseEnded` if it must not be sent any more, `RelayIsSuperseded`
    package func renew(
        _ token: [UInt8], by relay: RelayIdentity, in organization: OrganizationID
    ) async throws -> Delivery {
        let leased = try await store.renew(token, by: relay, in: organization, at: now())
        guard let delivery = try await delivery(leased, by: relay, in: organization) else { throw LeaseEnded() }
        return delivery
    }

    private func until(_ due: Timestamp) -> Duration {
        .milliseconds(due.millisecondsSince1970 - now().millisecondsSince1970)
    }

    /// Notes the result of a delivery.
    /// - Parameter wantsNext: whether the relay also takes the next delivery for the same endpoint.
    /// - Returns: the next delivery, if there is one.
    /// - Throws: `LeaseEnded`, `RelayIsSuperseded`
    package func report(
        _ outcome: DeliveryOutcome, of token: [UInt8], milliseconds: Int, wantsNext: Bool, by relay: RelayIdentity,
        in organization: OrganizationID
    ) async throws -> (verdict: DeliveryProgress.Verdict, next: Delivery?) {
        let report = try await store.report(
            outcome, of: token, milliseconds: milliseconds, jitter: Double.random(in: -1...1),
            leasingNext: wantsNext, to: relay,
            in: organization, at: now())
        metrics.count(outcome)
        guard let next = report.next else { return (report.verdict, nil) }
        return (report.verdict, try await delivery(next, by: relay, in: organization))
    }

    /// - Returns: `nil` if the endpoint's secret cannot be opened. That counts as a failure of this endpoint only,
    ///   which its owner sees among the attempts.
    private func delivery(
        _ leased: LeasedEvent, by relay: RelayIdentity, in organization: OrganizationID
    ) async throws -> Delivery? {
        guard let present = try secrets.open(leased.sealedSecrets, of: organization) else {
            logger.error(
                "the secret of an endpoint cannot be opened; it gets nothing until it is given another one",
                metadata: ["organization": "\(organization)", "endpoint": "\(leased.endpoint.id)"])
            // If the result cannot be noted, the lease ends by itself.
            _ = try? await report(
                .failed(.secretUnreadable), of: leased.token, milliseconds: 0, wantsNext: false, by: relay,
                in: organization)
            return nil
        }
        let body = CloudEvent(
            leased.event, of: organization, includesRecipient: leased.endpoint.includesRecipient
        ).body
        let id = WebhookSignature.id(of: leased.event.id, for: leased.endpoint.id)
        return Delivery(
            token: leased.token, endpoint: leased.endpoint.id, url: leased.endpoint.url,
            signature: try WebhookSignature(of: body, id: id, at: wallClock(), with: present), body: body)
    }
}
