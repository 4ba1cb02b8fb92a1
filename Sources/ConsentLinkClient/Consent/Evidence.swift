/// The evidence for a consent record. Every member is text of your own.
public struct Evidence: Sendable, Hashable, Codable {
    /// The notice that the recipient was shown.
    public struct Notice: Sendable, Hashable, Codable {
        public var id: String?
        public var version: String?
        public var language: String?
        /// The SHA-256 of the notice, in hexadecimal.
        public var sha256: String?

        public init(id: String? = nil, version: String? = nil, language: String? = nil, sha256: String? = nil) {
            self.id = id
            self.version = version
            self.language = language
            self.sha256 = sha256
        }
    }

    public var method: String?
    public var source: String?
    public var notice: Notice?
    public var actor: String?
    /// The language of the page or form that the recipient used, as a tag of BCP 47.
    public var language: String?

    public init(
        method: String? = nil, source: String? = nil, notice: Notice? = nil, actor: String? = nil,
        language: String? = nil
    ) {
        self.method = method
        self.source = source
        self.notice = notice
        self.actor = actor
        self.language = language
    }
}
