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
