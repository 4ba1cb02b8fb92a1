package import Identifiers

/// Finds messages by what is in them. May be called at once from anywhere.
package protocol MessageArchive: Sendable {
    /// At most `limit` messages that fit `query`, newest first.
    /// - Returns: `nil` when the organization has no message `after`.
    func messages(
        matching query: MessageQuery, limit: Int, in organization: OrganizationID
    ) async throws -> [MessageSummary]?

    /// The id under which this content is stored; `nil` when the organization has no such message.
    func id(of content: Message, in organization: OrganizationID) async throws -> MessageID?
}
