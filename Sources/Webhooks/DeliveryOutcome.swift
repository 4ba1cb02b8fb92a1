package import Identifiers

/// The result of an attempt to deliver.
package enum DeliveryOutcome: Hashable, Sendable {
    /// The possible status codes of an answer (RFC 9110, 15).
    package static let statuses = 100...599
    /// The status codes that mean that the event was accepted.
    package static let delivered = 200...299

    /// The endpoint answered.
    /// - Parameter retryAfter: the seconds in the header `Retry-After`; `nil` if there is none.
    case answered(status: Int, retryAfter: Int?)
    case failed(DeliveryFailure)

    package var isDelivered: Bool {
        if case .answered(Self.delivered, _) = self { true } else { false }
    }

    var isGone: Bool {
        if case .answered(410, _) = self { true } else { false }
    }
}

/// Why there was no answer, or no valid one.
package enum DeliveryFailure: String, Hashable, Sendable, CaseIterable, Error {
    /// The URL is http, and the operator has not allowed its host.
    case notSecure
    /// The name has no address.
    case noAddress
    /// A relay must not connect to the name, or to one of its addresses: it is not global, or of the relay's machine.
    case addressNotAllowed
    case cannotConnect
    /// The certificate is not trusted for this host, or the other side does not speak TLS.
    case tls
    /// There was no answer within 15 seconds, or an answer that refuses the event was not complete by then.
    case timedOut
    /// The body of an answer that refuses the event is longer than 64 KiB.
    case answerTooLong
    /// The connection ended, the answer is not valid HTTP, such as a status of 600 or more, or too many informational
    /// ones came before it.
    case brokenAnswer
    /// The endpoint's stored secret cannot be opened: the data folder has another erasure key, or the row was changed.
    /// The service notes it, and nothing is sent.
    case secretUnreadable
}

/// One stored attempt, without the bodies of request and answer.
package struct DeliveryAttempt: Hashable, Sendable {
    /// How many attempts are stored for each endpoint.
    package static let kept = 100
    /// The possible durations of an attempt, in milliseconds.
    package static let durations = 0...600_000

    package let instant: Timestamp
    package let kind: EventKind
    /// The `webhook-id` of the attempt.
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
