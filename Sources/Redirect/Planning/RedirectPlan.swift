import Identifiers

/// What becomes of a request for a link: a total function of the request, the link and what is known of consent.
enum RedirectPlan: Equatable {
    case refuse(Refusal)
    case redirect(Recording)

    /// The numbers are the places of the cases.
    enum Refusal: Int, CaseIterable {
        case methodNotAllowed
        /// Forged, or of something this service never had.
        case notFound
        /// Switched off by its owner.
        case gone
        /// Genuine, but where it leads cannot be asked at the moment.
        case unavailable
    }

    enum Recording: Equatable {
        case record
        case skip(SkipReason)
    }

    /// Why a genuine click is not recorded. The reader notices nothing of it.
    enum SkipReason: String, Equatable, CaseIterable {
        case head
        case prefetch
        case privacyControl
        case expired
        case consentEnded
        /// The organization has stored as much as it may.
        case quota
    }

    /// What is known of the link at the moment of the click.
    struct Link {
        let isDisabled: Bool
        /// Recording ends with this moment, whoever clicks.
        let expires: Timestamp
        let honorsGPC: Bool
        /// Whether the recipient's consent has ended by now.
        let consentEnded: Bool
        /// Whether the organization may store no more interactions.
        var isFull = false
    }

    /// The plan for a genuine link.
    init(_ method: RedirectRequest.Method, _ signals: RequestSignals, _ link: Link, now: Timestamp) {
        if method == .other {
            self = .refuse(.methodNotAllowed)
        } else if link.isDisabled {
            self = .refuse(.gone)
        } else if let reason = Self.skipReason(method, signals, link, now) {
            self = .redirect(.skip(reason))
        } else {
            self = .redirect(.record)
        }
    }

    private static func skipReason(
        _ method: RedirectRequest.Method, _ signals: RequestSignals, _ link: Link, _ now: Timestamp
    ) -> SkipReason? {
        if method == .head { return .head }
        if signals.isPrefetch { return .prefetch }
        if signals.objects && link.honorsGPC { return .privacyControl }
        if link.expires <= now { return .expired }
        if link.consentEnded { return .consentEnded }
        if link.isFull { return .quota }
        return nil
    }
}
