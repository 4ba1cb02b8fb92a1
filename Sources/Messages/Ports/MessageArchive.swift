package import Identifiers

/// Finds messages by their content. All calls may be concurrent.
package protocol MessageArchive: Sendable {
    /// At most `limit` messages that match `query`, newest first.
    /// - Returns: `nil` if the organization has no message `after`.
    func messages(
        matching query: MessageQuery, limit: Int, in organization: OrganizationID
    ) async throws -> [MessageSummary]?

    /// The id under which this content is stored; `nil` if the organization has no such message.
    func id(of content: Message, in organization: OrganizationID) async throws -> MessageID?
}
