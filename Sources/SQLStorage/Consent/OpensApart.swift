import Consent
import Identifiers

/// A no in words for links and opens is recorded for ``Purpose/openTracking``, too, where a message that asks about
/// opens apart could record them.
enum OpensApart {
    /// Whether such a message could record the opens of a recipient.
    /// - Parameters:
    ///   - status: of ``Purpose/openTracking`` at `instant`, read in the transaction that records the no.
    static func areRecorded(
        _ status: ConsentStatus, in organization: OrganizationRow, at instant: Timestamp
    ) -> Bool {
        ConsentPolicy(enforcement: organization.enforcement).decide(status, at: instant).outcome == .tracked
    }
}
