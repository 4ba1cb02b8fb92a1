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
