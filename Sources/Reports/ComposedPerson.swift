package import Consent

/// How one recipient of one message counts, however many decisions there are about them.
package enum ComposedPerson {
    /// The reason under which the recipient counts after one more decision. A recipient who was tracked once counts as
    /// tracked; otherwise the latest decision counts.
    /// - Parameter before: the reason so far; `nil` before the first decision.
    package static func reason(after before: DecisionReason?, _ decision: DecisionReason) -> DecisionReason {
        before?.outcome == .tracked ? before ?? decision : decision
    }
}
