package import Identifiers

/// A verdict of the policy: the reason, and the consent record on which it rests.
package struct ConsentVerdict: Hashable, Sendable {
    /// The message itself turns tracking off for all recipients, whatever they consented to.
    package static let trackingOff = ConsentVerdict(reason: .trackingOffForMessage)

    package let reason: DecisionReason
    package let basis: ConsentRecordID?

    package var outcome: DecisionOutcome { reason.outcome }

    package init(reason: DecisionReason, basis: ConsentRecordID? = nil) {
        self.reason = reason
        self.basis = basis
    }
}
