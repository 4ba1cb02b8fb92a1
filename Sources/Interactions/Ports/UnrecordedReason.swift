/// Why an occurrence was not made durable although it should have been.
package enum UnrecordedReason: Int, CaseIterable, Hashable, Sendable {
    /// The disk of the spool is full.
    case full
    /// The spool's file has failed or refuses writes.
    case failed
    /// Too many clicks already wait for the disk.
    case overloaded
    /// The disk did not answer in time.
    case stuck
    /// The organization has reached its quota of interactions.
    case quota
    /// The tracking ID was recorded too often within a short time.
    case rate
    /// Too little of the disk is free; the rest is reserved for consent.
    case diskFloor
    /// The node may not know every withdrawal, and is set to record nothing in that case.
    case stale

    /// The reason for an error of a spool.
    package init(_ error: any Error) { self = (error as? any SpoolFailure)?.unrecordedReason ?? .failed }
}

extension UnrecordedReason {
    /// A text for an operator.
    package var explanation: String {
        switch self {
        case .full: "the disk is full"
        case .failed: "the spool has failed"
        case .overloaded: "too many wait for the disk"
        case .stuck: "the disk does not answer"
        case .quota: "the organization has stored as many interactions as it may"
        case .rate: "a tracking ID is used too often"
        case .diskFloor: "too little of the disk is free"
        case .stale: "the node may not know every withdrawal"
        }
    }
}
