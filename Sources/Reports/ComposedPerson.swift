package import Consent

/// How one recipient of one message counts, whatever number of decisions there are about them.
package enum ComposedPerson {
    /// The reason under which the recipient counts after one more decision. Tracked once is tracked; else the latest
    /// decision counts.
    /// - Parameter before: the reason until then; `nil` before the first decision.
    package static func reason(after before: DecisionReason?, _ decision: DecisionReason) -> DecisionReason {
        before?.outcome == .tracked ? before ?? decision : decision
    }
}
