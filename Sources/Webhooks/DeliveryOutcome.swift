package import Identifiers

/// What became of an attempt to deliver.
package enum DeliveryOutcome: Hashable, Sendable {
    /// What an answer can have as its status (RFC 9110, 15).
    package static let statuses = 100...599
    /// Those that say that the event was taken.
    package static let delivered = 200...299

    /// The endpoint answered.
    /// - Parameter retryAfter: seconds, as its header `Retry-After` asks for; `nil` when there is none.
    case answered(status: Int, retryAfter: Int?)
    case failed(DeliveryFailure)

    package var isDelivered: Bool {
        if case .answered(Self.delivered, _) = self { true } else { false }
    }

    package var isGone: Bool {
        if case .answered(410, _) = self { true } else { false }
    }
}

/// Why there was no answer, or none that counts.
package enum DeliveryFailure: String, Hashable, Sendable, CaseIterable, Error {
    /// The URL is http, and the operator has not allowed its host.
    case notSecure
    /// The name has no address.
    case noAddress
    /// The name, or one of its addresses, is none that a relay may connect to.
    case addressNotAllowed
    case cannotConnect
    /// The certificate is none that is trusted for this host, or the other side does not speak TLS.
    case tls
    /// There was no answer in 15 seconds, or one that refuses and did not come to its end.
    case timedOut
    /// The answer is longer than 64 KiB.
    case answerTooLong
    /// The connection ended, or what came is no HTTP: such as a status of 600 or more.
    case brokenAnswer
    /// The endpoint's stored secret cannot be opened: the data folder has another erasure key, or the row was changed.
    /// The service notes it, and nothing is sent.
    case secretUnreadable
}

/// One attempt, as it is kept: no body, of neither side.
package struct DeliveryAttempt: Hashable, Sendable {
    /// So many are kept of an endpoint.
    package static let kept = 100
    /// How long one can have taken, in milliseconds.
    package static let durations = 0...600_000

    package let instant: Timestamp
    package let kind: EventKind
    /// The `webhook-id` that it had.
    package let webhookID: String
    package let outcome: DeliveryOutcome
    package let milliseconds: Int

    package init(
        instant: Timestamp, kind: EventKind, webhookID: String, outcome: DeliveryOutcome, milliseconds: Int
    ) {
        self.instant = instant
        self.kind = kind
        self.webhookID = webhookID
        self.outcome = outcome
        self.milliseconds = milliseconds
    }
}
