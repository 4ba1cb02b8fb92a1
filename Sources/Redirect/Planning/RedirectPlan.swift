import Identifiers

/// The answer to a request for a link, decided from the request, the link and the consent that is known. Pure.
enum RedirectPlan: Equatable {
    case refuse(Refusal)
    case redirect(RecordingPolicy.Verdict)

    /// The raw values are the positions of the cases.
    enum Refusal: Int, CaseIterable {
        case methodNotAllowed
        /// The link is forged, or names something that this service never had.
        case notFound
        /// The message's owner has switched it off.
        case gone
        /// The link is genuine, but the store that knows its target cannot be asked; or it may be genuine, and this
        /// node may lack the key that signed it.
        case unavailable
    }

    /// The plan for a GET or HEAD of a genuine link.
    ///
    /// - Parameters:
    ///   - isHead: whether the request asks for the header alone.
    ///   - isDisabled: whether the link's owner has switched it off.
    init(isHead: Bool, _ signals: RequestSignals, isDisabled: Bool, policy: RecordingPolicy, now: Timestamp) {
        self =
            isDisabled
            ? .refuse(.gone) : .redirect(policy.verdict(isHead: isHead, signals: signals, at: now))
    }
}
