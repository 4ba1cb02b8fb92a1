public import Foundation

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
