import Consent
import Identifiers

/// A no to links and opens together is also recorded for ``Purpose/openTracking`` if a message that asks for consent to
/// opens separately could otherwise record the recipient's opens.
enum OpensApart {
    /// Whether a message that asks for consent to opens separately could record the opens of a recipient.
    /// - Parameters:
    ///   - status: of ``Purpose/openTracking`` at `instant`, read in the transaction that records the no.
    static func areRecorded(
        _ status: ConsentStatus, in organization: OrganizationRow, at instant: Timestamp
    ) -> Bool {
        ConsentPolicy(enforcement: organization.enforcement).decide(status, at: instant).outcome == .tracked
    }
}
