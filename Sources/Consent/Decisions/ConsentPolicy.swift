package import Identifiers

/// Decides who may be tracked. A total function of its inputs: it uses no clock, no store and no setting except the
/// enforcement.
package struct ConsentPolicy: Hashable, Sendable {
    package let enforcement: Enforcement

    package init(enforcement: Enforcement) { self.enforcement = enforcement }

    /// The verdict about a recipient with `status` at `instant`.
    package func decide(_ status: ConsentStatus, at instant: Timestamp) -> ConsentVerdict {
        switch status {
        case .nothing:
            ConsentVerdict(reason: enforcement == .restrictive ? .noConsentRecord : .notOptedOut)
        case .inForce(let consent):
            ConsentVerdict(reason: reason(for: consent, at: instant), basis: consent.record)
        case .erased:
            ConsentVerdict(reason: .recipientErased)
        }
    }

    /// The time from which on nothing may be recorded about a recipient with `status`, if no further record arrives:
    /// `nil` for never, a past time for already.
    package func recordingEnd(for status: ConsentStatus) -> Timestamp? {
        switch status {
        case .nothing: enforcement == .restrictive ? .distantPast : nil
        case .inForce(let consent) where consent.state.endsTracking: .distantPast
        case .inForce(let consent): enforcement == .restrictive ? consent.validUntil : nil
        case .erased: .distantPast
        }
    }

    /// The lists that `status` of `purpose` may put a recipient on, each with the time from which on nothing may be
    /// recorded: `nil` for never.
    package func recordingEnds(
        for status: ConsentStatus, of purpose: Purpose
    ) -> [(scope: RecordingScope, end: Timestamp?)] {
        let own = (scope: RecordingScope.purpose(purpose), end: recordingEnd(for: status))
        guard purpose == .openTracking else { return [own] }
        return [own, (.refusedOpens, status.endsTracking ? .distantPast : nil)]
    }

    private func reason(for consent: ConsentInForce, at instant: Timestamp) -> DecisionReason {
        switch consent.state {
        case .given where consent.isExpired(at: instant):
            enforcement == .restrictive ? .consentExpired : .notOptedOut
        case .given: .consentGiven
        case .refused: .consentRefused
        case .withdrawn: .consentWithdrawn
        case .revoked: .consentRevoked
        case .invalidated: .consentInvalidated
        }
    }
}
