package import Identifiers

/// A message with an id. Its content never changes, but it can be disabled and enabled, and links are added to it.
package struct StoredMessage: Hashable, Sendable {
    package let id: MessageID
    package let organization: OrganizationID
    package let content: Message
    package let createdAt: Timestamp
    /// The links that rewriting found and its content does not have, in the order of their indexes. None is ever
    /// changed or removed.
    package let addedLinks: [MessageLink]
    /// Its owner switched its links off.
    package var isDisabled: Bool

    package init(
        id: MessageID, organization: OrganizationID, content: Message, createdAt: Timestamp, isDisabled: Bool,
        addedLinks: [MessageLink] = []
    ) {
        self.id = id
        self.organization = organization
        self.content = content
        self.createdAt = createdAt
        self.isDisabled = isDisabled
        self.addedLinks = addedLinks
    }

    /// The same message with only these added links.
    package func having(only added: [MessageLink]) -> StoredMessage {
        StoredMessage(
            id: id, organization: organization, content: content, createdAt: createdAt, isDisabled: isDisabled,
            addedLinks: added)
    }
}
