/// What is said of all mails of a stream.
public struct RewriteOrder: Sendable, Hashable, Encodable {
    /// The id of the message that the links belong to.
    public var messageId: String
    /// For mails that bring no HTML of their own.
    public var html: String?
    /// For mails that bring no text of their own.
    public var text: String?

    public init(messageId: String, html: String? = nil, text: String? = nil) {
        self.messageId = messageId
        self.html = html
        self.text = text
    }
}

/// A mail of a stream. It has HTML or text, of its own or of the ``RewriteOrder``.
public struct PersonalMail: Sendable, Hashable, Encodable {
    public var recipient: String
    /// At most 10 MiB of UTF-8.
    public var html: String?
    /// At most 10 MiB of UTF-8.
    public var text: String?

    public init(recipient: String, html: String? = nil, text: String? = nil) {
        self.recipient = recipient
        self.html = html
        self.text = text
    }
}

/// A mail of a stream as its recipient may get it. Sent to somebody else, it records the wrong person.
public struct RewrittenMailLine: Sendable, Hashable, Decodable {
    public let recipient: String
    public let tracked: Bool
    /// That about the clicks where there are ``decisions``.
    public let decision: DecisionSummary
    /// Both, where the message asks consent for clicks and opens apart.
    public let decisions: ApartDecisions?
    public let html: String?
    public let text: String?
    /// Whose mail it is: see ``RewrittenMail/trackingId``.
    public let trackingId: String?
    /// What `{{consentlink.preferences}}` became: see ``MailPayload/preferencesUrl``.
    public let preferencesUrl: String?
    /// The links that stay as they are.
    public let skipped: [SkippedLink]
}

/// The answer to one mail of a stream.
public enum RewrittenLine: Sendable {
    case mail(MailLine)
    /// The mail cannot be rewritten, such as one without a body. The others are all the same.
    case refused(Problem)

    init(_ line: ArraySlice<UInt8>) {
        self = AnsweredLine.refusal(line).map { .refused($0) } ?? .mail(MailLine(json: line))
    }
}

/// A mail as a line of JSON. Its parts are read when they are asked for.
public struct MailLine: Sendable {
    /// The object as the service sent it, in UTF-8, without a line feed.
    public let json: ArraySlice<UInt8>

    /// All of it.
    ///
    /// ```swift
    /// let mail = try line.parsed()
    /// send(html: mail.html, text: mail.text, to: mail.recipient)
    /// ```
    public func parsed() throws(ConsentLinkError) -> RewrittenMailLine { try WireCoding.decode(from: json) }
}

extension LineSource where Element == PersonalMail {
    static var mails: LineSource {
        LineSource { mail, line in line.append(contentsOf: try WireCoding.encode(mail)) }
    }
}
