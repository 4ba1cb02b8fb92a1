package import Identifiers

/// The right to deliver the next event of an endpoint once, until the lease ends. No other relay has it meanwhile.
package struct LeasedEvent: Sendable {
    /// How long a lease lasts: enough for connecting, 15 seconds for the answer, and the report.
    package static let lifetime = Duration.seconds(30)
    /// For how long after its end a lease still tells earlier processes of its relay that a later one delivers.
    package static let memory = Duration.minutes(5)

    /// 16 random bytes.
    package let token: [UInt8]
    package let endpoint: Endpoint
    package let event: WebhookEvent
    /// The stored secrets, the present one first.
    package let sealedSecrets: [[UInt8]]

    package init(token: [UInt8], endpoint: Endpoint, event: WebhookEvent, sealedSecrets: [[UInt8]]) {
        self.token = token
        self.endpoint = endpoint
        self.event = event
        self.sealedSecrets = sealedSecrets
    }
}

/// The events to deliver.
package struct LeasedEvents: Sendable {
    package let events: [LeasedEvent]
    /// The next time at which a waiting event is due; `nil` if none waits.
    package let nextDue: Timestamp?

    package init(events: [LeasedEvent], nextDue: Timestamp?) {
        self.events = events
        self.nextDue = nextDue
    }
}
