import Counting

/// The outcome of a request for a link. The metrics use the names of the cases.
enum RedirectOutcome: Int, Counted {
    /// Redirected; the click was on disk before.
    case recorded
    /// Redirected, although the click should have been on disk before and was not.
    case unrecorded
    // Redirected, rightly without a record.
    case head
    case prefetch
    case privacyControl
    case expired
    case consentEnded
    // Not redirected.
    case methodNotAllowed
    case notFound
    case gone
    case unavailable

    init(_ reason: RecordingPolicy.SkipReason) {
        self =
            switch reason {
            case .head: .head
            case .prefetch: .prefetch
            case .privacyControl: .privacyControl
            case .expired: .expired
            case .consentEnded: .consentEnded
            case .quota: .unrecorded
            }
    }

    init(_ refusal: RedirectPlan.Refusal) {
        self =
            switch refusal {
            case .methodNotAllowed: .methodNotAllowed
            case .notFound: .notFound
            case .gone: .gone
            case .unavailable: .unavailable
            }
    }

    init(_ outcome: SpoolOutcome) {
        self =
            switch outcome {
            case .recorded: .recorded
            case .unrecorded: .unrecorded
            }
    }
}
