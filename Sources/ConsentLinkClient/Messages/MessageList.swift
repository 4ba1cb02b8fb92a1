public import Foundation

/// Which messages are listed; `nil` is any.
public struct MessageQuery: Sendable, Hashable {
    /// How the name begins, byte for byte.
    public var namePrefix: String?
    public var tag: String?
    /// Made from this moment on.
    public var from: Date?
    /// Made before this moment.
    public var to: Date?

    public init(namePrefix: String? = nil, tag: String? = nil, from: Date? = nil, to: Date? = nil) {
        self.namePrefix = namePrefix
        self.tag = tag
        self.from = from
        self.to = to
    }
}

/// A message of a list, without what it says. ``OrganizationAPI/message(_:)`` has all of it.
public struct MessageSummary: Sendable, Hashable, Decodable {
    public let id: String
    public let name: String
    /// In the order of their bytes.
    public let tags: [String]
    /// Of the clicks.
    public let purpose: String
    /// Only where the opens have another purpose than the clicks.
    public let purposes: Message.Purposes?
    public let createdAt: Date
    /// From then on its links redirect and record nothing.
    public let expiresAt: Date?
    public let disabled: Bool
}

/// A page of messages, newest first.
public struct MessagePage: Sendable, Hashable, Decodable {
    public let messages: [MessageSummary]
    /// For the next page; `nil` on the last.
    public let next: String?
}
