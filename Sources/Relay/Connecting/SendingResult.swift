import Webhooks

/// What came of sending a delivery.
enum SendingResult: Hashable, Sendable {
    case ended(DeliveryOutcome)
    /// Nothing was sent, and the endpoint is not to blame: its event is leased again when this lease is over.
    case notSent(Reason)

    enum Reason: String, Hashable, Sendable {
        /// Less of the lease is left than a delivery may take. Another relay might deliver meanwhile, and later events,
        /// too.
        case leaseEnds
        /// The name could not be looked up, because others were.
        case lookUpsBusy
    }
}
