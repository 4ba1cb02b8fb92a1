import Webhooks

/// The result of sending a delivery.
enum SendingResult: Hashable, Sendable {
    case ended(DeliveryOutcome)
    /// Nothing was sent, and the cause is not the endpoint: its event is leased again when this lease is over.
    case notSent(Reason)

    enum Reason: String, Hashable, Sendable, Error {
        /// The rest of the lease is shorter than a delivery may take. Another relay might deliver meanwhile, including
        /// later events.
        case leaseEnds
        /// The name could not be looked up, because of other look-ups, or because of a lack of descriptors or memory.
        /// Or the system did not tell this machine's addresses, with which the name's are compared.
        case lookUpsBusy
        /// The relay's process or machine lacks descriptors, memory or ports for a connection.
        case localShortage
        /// The service says that the delivery must not be sent: its endpoint was changed, disabled or deleted, or
        /// another relay has the event by now.
        case endpointChanged
        /// The body had become too old, and the service did not render it again in time.
        case notRenewed
    }
}
