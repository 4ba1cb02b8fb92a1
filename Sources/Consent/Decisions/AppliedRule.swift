/// The row of the policy's table that a decision came from, derived from the decision alone.
package struct AppliedRule: Hashable, Sendable {
    /// The status: the first column of the table.
    package enum InForce: String, Hashable, Sendable, CaseIterable {
        case nothing
        case given
        /// Given, but ended by itself.
        case expired
        case refused
        case withdrawn
        case revoked
        case invalidated
        case erased
    }

    /// `nil` if the policy did not look at it (``DecisionReason/trackingOffForMessage``), or if it is no longer known
    /// because the recipient was erased.
    package let inForce: InForce?
    /// The row in words.
    package let sentence: String

    package init(_ entry: DecisionEntry) {
        inForce =
            switch entry.reason {
            case .consentGiven: .given
            // A consent that has ended is not an opt-out, and the decision rests on it. An erasure removes both values.
            case .notOptedOut: entry.consent != nil ? .expired : entry.recipient != nil ? .nothing : nil
            case .noConsentRecord: .nothing
            case .consentExpired: .expired
            case .consentRefused: .refused
            case .consentWithdrawn: .withdrawn
            case .consentRevoked: .revoked
            case .consentInvalidated: .invalidated
            case .recipientErased: .erased
            case .trackingOffForMessage: nil
            }
        sentence = entry.reason.sentence
    }
}

extension DecisionReason {
    fileprivate var sentence: String {
        switch self {
        case .consentGiven: "The person's consent had been given and was in force."
        case .notOptedOut: "The person had not said no, which is enough where the enforcement is nonRestrictive."
        case .noConsentRecord: "The person had said nothing, which is not enough where the enforcement is restrictive."
        case .consentExpired:
            "The person's consent had run out, and where the enforcement is restrictive one must be in force."
        case .consentRefused: "The person had refused. No enforcement tracks a recipient who said no."
        case .consentWithdrawn: "The person had withdrawn their consent. No enforcement tracks a recipient who said no."
        case .consentRevoked: "The consent had been revoked. No enforcement tracks on a consent that was taken back."
        case .consentInvalidated: "The consent had been found invalid. No enforcement tracks on such a consent."
        case .recipientErased: "The person had been erased and had given no consent since. No enforcement tracks them."
        case .trackingOffForMessage: "The message asks that no recipient be tracked, whatever their consent."
        }
    }
}
