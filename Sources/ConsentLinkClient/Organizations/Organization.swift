/// An organization and its settings.
public struct Organization: Sendable, Hashable, Decodable {
    public let id: String
    public let name: String
    public let enforcement: Enforcement
    /// The hosts that links of messages may lead to; empty allows any host.
    public let targetHosts: [String]
    /// Whether a click with `Sec-GPC: 1` is left unrecorded.
    public let honorGPC: Bool
    public let identifiers: RecipientComparison
    public let retention: Retention
    public let quotas: Quotas
    /// Whether a ``ConsentState/given`` needs ``Evidence/method`` and ``Evidence/notice``.
    public let requireEvidence: Bool
    /// The organization's own page on which people can give consent; `nil` if there is none.
    public let consentUrl: String?
    /// How many days a recipient is not asked again after a no or after silence.
    public let askAgainAfterDays: Int
    /// Whether every look at a recipient is recorded, with a reason. See ``OrganizationAPI/giving(reason:)``.
    public let recordAccess: Bool
}

/// An organization that is to be made.
public struct NewOrganization: Sendable, Hashable, Encodable {
    /// 1 to 64 characters of `A-Z a-z 0-9 . _ -`.
    public var id: String
    public var enforcement: Enforcement
    public var name: String?
    public var targetHosts: [String]?
    public var honorGPC: Bool?
    /// It can never be changed. `nil` is ``RecipientComparison/email``.
    public var identifiers: RecipientComparison?
    /// `nil` is 760 days of interactions and 1,825 of decisions.
    public var retention: RetentionChange?
    public var quotas: Quotas?
    /// Whether a ``ConsentState/given`` needs ``Evidence/method`` and ``Evidence/notice``; `nil` is no.
    public var requireEvidence: Bool?
    /// Your own page on which people can give consent: an https URL without user name and password. The common page of
    /// all recipients who are not tracked links to it.
    public var consentUrl: String?
    /// How many days a recipient is not asked again after a no or after silence: 180 to 3,650, or less if the operator
    /// allows it. `nil` is 180.
    public var askAgainAfterDays: Int?
    /// Whether every look at a recipient is recorded, with a reason; `nil` is no.
    public var recordAccess: Bool?

    public init(
        id: String, enforcement: Enforcement, name: String? = nil, targetHosts: [String]? = nil,
        honorGPC: Bool? = nil, identifiers: RecipientComparison? = nil, retention: RetentionChange? = nil,
        quotas: Quotas? = nil, requireEvidence: Bool? = nil, consentUrl: String? = nil,
        askAgainAfterDays: Int? = nil, recordAccess: Bool? = nil
    ) {
        self.id = id
        self.enforcement = enforcement
        self.name = name
        self.targetHosts = targetHosts
        self.honorGPC = honorGPC
        self.identifiers = identifiers
        self.retention = retention
        self.quotas = quotas
        self.requireEvidence = requireEvidence
        self.consentUrl = consentUrl
        self.askAgainAfterDays = askAgainAfterDays
        self.recordAccess = recordAccess
    }
}

/// Settings to change; `nil` keeps the present value.
public struct OrganizationChange: Sendable, Hashable, Encodable {
    public var name: String?
    public var enforcement: Enforcement?
    public var targetHosts: [String]?
    public var honorGPC: Bool?
    public var retention: RetentionChange?
    /// Needs the operator's key. Replaces all quotas that were set before.
    public var quotas: Quotas?
    /// Whether a ``ConsentState/given`` needs ``Evidence/method`` and ``Evidence/notice`` from now on.
    public var requireEvidence: Bool?
    /// As ``NewOrganization/consentUrl``; the empty string removes it.
    public var consentUrl: String?
    /// As ``NewOrganization/askAgainAfterDays``.
    public var askAgainAfterDays: Int?
    /// Whether every look at a recipient is recorded from now on, with a reason.
    public var recordAccess: Bool?

    public init(
        name: String? = nil, enforcement: Enforcement? = nil, targetHosts: [String]? = nil, honorGPC: Bool? = nil,
        retention: RetentionChange? = nil, quotas: Quotas? = nil, requireEvidence: Bool? = nil,
        consentUrl: String? = nil, askAgainAfterDays: Int? = nil, recordAccess: Bool? = nil
    ) {
        self.name = name
        self.enforcement = enforcement
        self.targetHosts = targetHosts
        self.honorGPC = honorGPC
        self.retention = retention
        self.quotas = quotas
        self.requireEvidence = requireEvidence
        self.consentUrl = consentUrl
        self.askAgainAfterDays = askAgainAfterDays
        self.recordAccess = recordAccess
    }
}

/// A new organization, and its first key.
public struct CreatedOrganization: Sendable, Hashable, Decodable {
    public let organization: Organization
    /// Its secret is shown only once.
    public let key: CreatedKey

    private enum CodingKeys: CodingKey { case key }

    public init(from decoder: any Decoder) throws {
        organization = try Organization(from: decoder)
        key = try decoder.container(keyedBy: CodingKeys.self).decode(CreatedKey.self, forKey: .key)
    }
}

struct OrganizationList: Decodable {
    let organizations: [Organization]
    let next: String?
}
