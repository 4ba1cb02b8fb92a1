/// One mail for one recipient, made by yourself. At least one of ``html`` and ``text``.
public struct RewriteRequest: Sendable, Hashable, Encodable {
    /// The id of the message that its links belong to.
    public var messageId: String
    public var recipient: String
    public var html: String?
    public var text: String?

    public init(messageId: String, recipient: String, html: String? = nil, text: String? = nil) {
        self.messageId = messageId
        self.recipient = recipient
        self.html = html
        self.text = text
    }
}

/// The mail as its recipient may get it.
public struct RewrittenMail: Sendable, Hashable, Decodable {
    /// A link that was found.
    public struct Link: Sendable, Hashable, Decodable {
        /// `html` or `text`.
        public let `where`: String
        /// In bytes of UTF-8.
        public let offset: Int
        public let line: Int
        public let url: String
        public let label: String?
        /// Under which it is rewritten, if it is.
        public let index: Int?
        /// Why it stays as it is.
        public let skipped: String?
        /// ``skipped`` in words.
        public let detail: String?
    }

    public let tracked: Bool
    /// That about the clicks where there are ``decisions``.
    public let decision: DecisionSummary
    /// Both, where the message asks consent for clicks and opens apart.
    public let decisions: ApartDecisions?
    /// Why the recipient's recording has ended by now, where a request was repeated.
    public let ended: Reason?
    public let html: String?
    public let text: String?
    /// Of the message and the recipient; for those who are not tracked a zero that is the same for all. `nil` from a
    /// service that is older than this member.
    public let trackingId: String?
    /// What `{{consentlink.preferences}}` became: see ``MailPayload/preferencesUrl``.
    public let preferencesUrl: String?
    public let links: [Link]
}
