import TrackingIDs

/// The result of opening the token of a link.
enum LinkOpening: Equatable {
    case opened(TrackingID)
    case refused(RedirectPlan.Refusal)
}
