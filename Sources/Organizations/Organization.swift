package import Consent
package import Identifiers
package import Messages

/// A tenant, with its own consent rules and its own rules for the targets of links.
package struct Organization: Hashable, Sendable {
    /// In bytes of UTF-8.
    package static let maximumNameLength = 256

    package let id: OrganizationID
    package var name: String
    package var enforcement: Enforcement
    /// The hosts to which http and https links of new messages may lead; empty for any host.
    package var targetHosts: [TargetHostPattern]
    /// Whether a browser's `Sec-GPC: 1` counts as a no.
    package var honorsGPC: Bool
    /// How its recipients are compared.
    package let identifiers: RecipientComparison
    package var retention: Retention
    package var quotas: Quotas
    /// Whether a given consent must say how it was obtained. See `RequiredEvidence`.
    package var requiresEvidence: Bool
    /// Where a recipient can consent. The common page links to it; `nil` if recipients must ask the organization.
    package var consentPage: ConsentPageURL?
    /// For how many days a recipient is not asked again after a no and after silence. See `AskingPause`.
    package var askAgainAfterDays: Int
    /// Whether every look at a recipient through the API is recorded, with a reason. See `AccessLog`.
    package var recordsAccess: Bool

    package init(
        id: OrganizationID, name: String, enforcement: Enforcement, targetHosts: [TargetHostPattern] = [],
        honorsGPC: Bool = true, identifiers: RecipientComparison = .email, retention: Retention = .standard,
        quotas: Quotas = .unlimited, requiresEvidence: Bool = false, consentPage: ConsentPageURL? = nil,
        askAgainAfterDays: Int = AskingPause.standardDays, recordsAccess: Bool = false
    ) {
        self.id = id
        self.name = name
        self.enforcement = enforcement
        self.targetHosts = targetHosts
        self.honorsGPC = honorsGPC
        self.identifiers = identifiers
        self.retention = retention
        self.quotas = quotas
        self.requiresEvidence = requiresEvidence
        self.consentPage = consentPage
        self.askAgainAfterDays = askAgainAfterDays
        self.recordsAccess = recordsAccess
    }
}

/// A change of an organization's settings; `nil` leaves a setting unchanged.
package struct OrganizationChange: Hashable, Sendable {
    package var name: String?
    package var enforcement: Enforcement?
    package var targetHosts: [TargetHostPattern]?
    package var honorsGPC: Bool?
    package var retention: RetentionChange?
    package var quotas: Quotas?
    package var requiresEvidence: Bool?
    package var consentPage: ConsentPageChange?
    package var askAgainAfterDays: Int?
    package var recordsAccess: Bool?

    package init(
        name: String? = nil, enforcement: Enforcement? = nil, targetHosts: [TargetHostPattern]? = nil,
        honorsGPC: Bool? = nil, retention: RetentionChange? = nil, quotas: Quotas? = nil, requiresEvidence: Bool? = nil,
        consentPage: ConsentPageChange? = nil, askAgainAfterDays: Int? = nil,
        recordsAccess: Bool? = nil
    ) {
        self.name = name
        self.enforcement = enforcement
        self.targetHosts = targetHosts
        self.honorsGPC = honorsGPC
        self.retention = retention
        self.quotas = quotas
        self.requiresEvidence = requiresEvidence
        self.consentPage = consentPage
        self.askAgainAfterDays = askAgainAfterDays
        self.recordsAccess = recordsAccess
    }

    package func applied(to organization: Organization) -> Organization {
        var changed = organization
        changed.name = name ?? organization.name
        changed.enforcement = enforcement ?? organization.enforcement
        changed.targetHosts = targetHosts ?? organization.targetHosts
        changed.honorsGPC = honorsGPC ?? organization.honorsGPC
        changed.retention = retention?.applied(to: organization.retention) ?? organization.retention
        changed.quotas = quotas ?? organization.quotas
        changed.requiresEvidence = requiresEvidence ?? organization.requiresEvidence
        changed.consentPage = consentPage.map(\.page) ?? organization.consentPage
        changed.askAgainAfterDays = askAgainAfterDays ?? organization.askAgainAfterDays
        changed.recordsAccess = recordsAccess ?? organization.recordsAccess
        return changed
    }
}
