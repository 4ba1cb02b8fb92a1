/// Why an occurrence could not be made durable when it should have been.
package enum UnrecordedReason: Int, CaseIterable, Hashable, Sendable {
    /// The spool's file has no room.
    case full
    /// The spool's file has failed, or refuses.
    case failed
    /// Too many wait for the disk already.
    case overloaded
    /// The disk did not answer in time.
    case stuck
    /// The organization has stored as many interactions as it may.
    case quota
    /// The tracking ID was recorded too often lately.
    case rate
    /// Too little of the disk is free: what is left is for consent.
    case diskFloor
    /// The node may not know every withdrawal, and is set to record nothing then.
    case stale

    /// What an error of a spool means.
    package init(_ error: any Error) { self = (error as? any SpoolFailure)?.unrecordedReason ?? .failed }
}

extension UnrecordedReason {
    /// For an operator.
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

/// An error of a ``ClickSpool`` that says which reason it stands for.
package protocol SpoolFailure: Error {
    var unrecordedReason: UnrecordedReason { get }
    /// Whether a later write may succeed, without a restart.
    var mayPass: Bool { get }
}
