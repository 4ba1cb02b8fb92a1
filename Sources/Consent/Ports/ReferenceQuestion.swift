package import Identifiers

/// A question for the status of the recipient behind a reference at one time.
package struct ReferenceQuestion: Hashable, Sendable {
    package let reference: RecipientReference
    package let purpose: Purpose
    package let instant: Timestamp
    /// The organization of the recipient, if the caller knows it. A store may then answer faster; the answer is the
    /// same.
    package let organization: OrganizationID?

    package init(
        reference: RecipientReference, purpose: Purpose, instant: Timestamp, organization: OrganizationID? = nil
    ) {
        self.organization = organization
        self.reference = reference
        self.purpose = purpose
        self.instant = instant
    }
}
