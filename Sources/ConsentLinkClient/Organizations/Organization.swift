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
