public import Foundation

/// A message as the service has stored it.
public struct StoredMessage: Sendable, Hashable, Decodable {
    /// A link of the message, and where it is.
    public struct Link: Sendable, Hashable, Decodable {
        public let index: Int
        public let url: String
        /// `link`, `actions/0/link`, `html` or `text`.
        public let `where`: String
        public let label: String?
        public let tracked: Bool
    }

    public let id: String
    public let name: String
    /// In the order of their bytes.
    public let tags: [String]
    public let links: [Link]
    public let createdAt: Date
    public let disabled: Bool
    /// The links of its mail that stay unchanged for all recipients.
    public let skipped: [SkippedLink]?
    /// Its content; only in the answer of ``OrganizationAPI/message(_:)``.
    public let content: Message?
}

/// A link of a mail that stays as it is.
public struct SkippedLink: Sendable, Hashable, Decodable {
    /// `html` or `text`.
    public let `where`: String
    /// The place in the body, in bytes of UTF-8.
    public let offset: Int
    public let line: Int
    public let url: String
    public let reason: String
    /// ``reason`` in words.
    public let detail: String
}
