package import Identifiers

/// The right to deliver the next event of an endpoint once, until it ends. No other relay has it meanwhile.
package struct LeasedEvent: Sendable {
    /// For how long one lasts: connecting, 15 seconds to answer, and telling of it.
    package static let lifetime = Duration.seconds(30)
    /// For how long after its end a lease still tells earlier processes of its relay that a later one delivers.
    package static let memory = Duration.seconds(300)

    /// 16 random bytes.
    package let token: [UInt8]
    package let endpoint: Endpoint
    package let event: WebhookEvent
    /// As they are stored, the present one first.
    package let sealedSecrets: [[UInt8]]

    package init(token: [UInt8], endpoint: Endpoint, event: WebhookEvent, sealedSecrets: [[UInt8]]) {
        self.token = token
        self.endpoint = endpoint
        self.event = event
        self.sealedSecrets = sealedSecrets
    }
}

/// What there is to deliver.
package struct LeasedEvents: Sendable {
    package let events: [LeasedEvent]
    /// When something that waits for its time is due; `nil` when nothing does.
    package let nextDue: Timestamp?

    package init(events: [LeasedEvent], nextDue: Timestamp?) {
        self.events = events
        self.nextDue = nextDue
    }
}
