package import Identifiers

/// A message that has an id. Its content never changes; whether it is switched off does.
package struct StoredMessage: Hashable, Sendable {
    package let id: MessageID
    package let organization: OrganizationID
    package let content: Message
    package let createdAt: Timestamp
    /// Its owner switched its links off.
    package var isDisabled: Bool

    package init(
        id: MessageID, organization: OrganizationID, content: Message, createdAt: Timestamp, isDisabled: Bool
    ) {
        self.id = id
        self.organization = organization
        self.content = content
        self.createdAt = createdAt
        self.isDisabled = isDisabled
    }
}
