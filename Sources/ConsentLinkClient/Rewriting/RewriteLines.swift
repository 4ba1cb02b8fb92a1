/// The order for all mails of a stream.
public struct RewriteOrder: Sendable, Hashable, Encodable {
    /// The id of the message that the links belong to.
    public var messageId: String
    /// For mails without HTML of their own.
    public var html: String?
    /// For mails without text of their own.
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

/// A rewritten mail of a stream. If you send it to another recipient, their acts are recorded for the wrong person.
public struct RewrittenMailLine: Sendable, Hashable, Decodable {
    public let recipient: String
    public let tracked: Bool
    /// The decision about clicks, if there are ``decisions``.
    public let decision: DecisionSummary
    /// Both decisions, if the message asks consent for clicks and opens separately.
    public let decisions: ApartDecisions?
    public let html: String?
    public let text: String?
    /// The tracking ID of the recipient: see ``RewrittenMail/trackingId``.
    public let trackingId: String?
    /// The address that replaced `{{consentlink.preferences}}`: see ``MailPayload/preferencesUrl``.
    public let preferencesUrl: String?
    /// The links that stay unchanged.
    public let skipped: [SkippedLink]
}

/// The answer to one mail of a stream.
public enum RewrittenLine: Sendable {
    case mail(MailLine)
    /// The mail cannot be rewritten, for example because it has no body. The other lines are not affected.
    case refused(Problem)

    init(_ line: ArraySlice<UInt8>) {
        self = AnsweredLine.refusal(line).map { .refused($0) } ?? .mail(MailLine(json: line))
    }
}

/// A mail as a line of JSON. Its parts are read when they are asked for.
public struct MailLine: Sendable {
    /// The object as the service sent it, in UTF-8, without a line feed.
    public let json: ArraySlice<UInt8>

    /// The mail with all its parts.
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
