/// One mail that you made for one recipient. It has at least one of ``html`` and ``text``.
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
