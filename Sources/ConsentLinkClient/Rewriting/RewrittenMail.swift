/// The mail as its recipient may get it.
public struct RewrittenMail: Sendable, Hashable, Decodable {
    /// A link that was found.
    public struct Link: Sendable, Hashable, Decodable {
        /// `html` or `text`.
        public let `where`: String
        /// The place in the body, in bytes of UTF-8.
        public let offset: Int
        public let line: Int
        public let url: String
        public let label: String?
        /// The index under which it is rewritten; `nil` if it is not.
        public let index: Int?
        /// Why it stays unchanged.
        public let skipped: String?
        /// ``skipped`` in words.
        public let detail: String?
    }

    public let tracked: Bool
    /// The decision about clicks, if there are ``decisions``.
    public let decision: DecisionSummary
    /// Both decisions, if the message asks consent for clicks and opens separately.
    public let decisions: ApartDecisions?
    /// Why recording has ended since the decision, if a request was repeated.
    public let ended: Reason?
    public let html: String?
    public let text: String?
    /// The ID of the message and the recipient; for untracked recipients a zero that is the same for all. `nil` from a
    /// service that is older than this member.
    public let trackingId: String?
    /// The address that replaced `{{consentlink.preferences}}`: see ``MailPayload/preferencesUrl``.
    public let preferencesUrl: String?
    public let links: [Link]
}
