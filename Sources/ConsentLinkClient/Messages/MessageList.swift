public import Foundation

/// Which messages are listed; `nil` is any.
public struct MessageQuery: Sendable, Hashable {
    /// The beginning of the name, byte for byte.
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

/// A message of a list, without its content. ``OrganizationAPI/message(_:)`` returns all of it.
public struct MessageSummary: Sendable, Hashable, Decodable {
    public let id: String
    public let name: String
    /// In the order of their bytes.
    public let tags: [String]
    /// The purpose of clicks.
    public let purpose: String
    /// Set only if opens have another purpose than clicks.
    public let purposes: Message.Purposes?
    public let createdAt: Date
    /// From this time on its links redirect and record nothing.
    public let expiresAt: Date?
    public let disabled: Bool
}

/// A page of messages, newest first.
public struct MessagePage: Sendable, Hashable, Decodable {
    public let messages: [MessageSummary]
    /// For the next page; `nil` on the last.
    public let next: String?
}
