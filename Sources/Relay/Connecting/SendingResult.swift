import Webhooks

/// The result of sending a delivery.
enum SendingResult: Hashable, Sendable {
    case ended(DeliveryOutcome)
    /// Nothing was sent, and the cause is not the endpoint: its event is leased again when this lease is over.
    case notSent(Reason)

    enum Reason: String, Hashable, Sendable {
        /// The rest of the lease is shorter than a delivery may take. Another relay might deliver meanwhile, including
        /// later events.
        case leaseEnds
        /// The name could not be looked up, because of other look-ups.
        case lookUpsBusy
    }
}
