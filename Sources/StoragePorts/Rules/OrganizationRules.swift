package import Consent
package import Identifiers

/// The rules that decide which recipients of one organization may be recorded.
package struct OrganizationRules: Hashable, Sendable {
    package let organization: OrganizationID
    package let enforcement: Enforcement
    package let honorsGPC: Bool
    /// A recipient who is not in it may be recorded without end.
    package let ends: [RecordingScope: [RecordingEnd]]
    package let erased: [RecipientReference]

    package init(
        organization: OrganizationID, enforcement: Enforcement, honorsGPC: Bool, ends: [RecordingScope: [RecordingEnd]],
        erased: [RecipientReference]
    ) {
        self.organization = organization
        self.enforcement = enforcement
        self.honorsGPC = honorsGPC
        self.ends = ends
        self.erased = erased
    }

    /// The changes that turn any other rules of the organization into these.
    package var changes: [RuleChange] {
        [.privacyControl(isHonored: honorsGPC, organization), .recording(ends, enforcement, organization)]
            + erased.map { .erasure($0, organization) }
    }
}
