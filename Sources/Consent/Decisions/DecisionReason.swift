/// Why a recipient is tracked or not. Auditors read the case that the policy returned.
package enum DecisionReason: String, Hashable, Sendable, CaseIterable {
    case consentGiven
    case notOptedOut
    case noConsentRecord
    case consentExpired
    case consentRefused
    case consentWithdrawn
    case consentRevoked
    case consentInvalidated
    case recipientErased
    case trackingOffForMessage

    /// The outcome that follows from the reason, so that the two never disagree.
    package var outcome: DecisionOutcome {
        switch self {
        case .consentGiven, .notOptedOut: .tracked
        case .noConsentRecord, .consentExpired, .consentRefused, .consentWithdrawn, .consentRevoked,
            .consentInvalidated, .recipientErased, .trackingOffForMessage:
            .untracked
        }
    }
}

/// Whether an activity of a recipient is recorded.
package enum DecisionOutcome: String, Hashable, Sendable, CaseIterable {
    case tracked
    case untracked
}
