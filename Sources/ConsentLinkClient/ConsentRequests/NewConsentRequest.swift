/// A request for consent that is to be made.
public struct NewConsentRequest: Sendable, Hashable, Encodable {
    /// 1 to 256 bytes of UTF-8 without control characters.
    public var recipient: String
    /// 1 to 4, each once. The recipient answers each separately. `nil` is `tracking`.
    public var purposes: [String]?
    public var notice: NewNotice
    /// Whether a yes counts only after a second link was also confirmed; `nil` is no.
    public var confirm: Bool?

    public init(recipient: String, notice: NewNotice, purposes: [String]? = nil, confirm: Bool? = nil) {
        self.recipient = recipient
        self.purposes = purposes
        self.notice = notice
        self.confirm = confirm
    }
}

/// What a recipient is shown before they answer. It should name no person.
public struct NewNotice: Sendable, Hashable, Encodable {
    /// The text of the notice, or where it is.
    public enum Content: Sendable, Hashable {
        /// Plain text, 1 to 8,192 bytes of UTF-8, which the page shows as it is.
        case text(String)
        /// An http or https URL without credentials, and the SHA-256 of its content in lower-case hexadecimal.
        case page(url: String, sha256: String)
    }

    /// 1 to 256 bytes, like ``version``.
    public var id: String
    public var version: String
    /// A language tag (BCP 47), such as `de-AT`.
    public var language: String
    public var content: Content

    public init(id: String, version: String, language: String, content: Content) {
        self.id = id
        self.version = version
        self.language = language
        self.content = content
    }

    private enum CodingKeys: CodingKey { case id, version, language, text, url, sha256 }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(version, forKey: .version)
        try members.encode(language, forKey: .language)
        switch content {
        case .text(let text): try members.encode(text, forKey: .text)
        case .page(let url, let sha256):
            try members.encode(url, forKey: .url)
            try members.encode(sha256, forKey: .sha256)
        }
    }
}
