package import Identifiers

/// Keeps messages and says where their links lead. May be called at once from anywhere; what it wrote is durable when
/// the call returns.
package protocol MessageStore: Sendable {
    /// Stores a message, or finds the one of the same organization, content and name that is stored already.
    /// - Parameter mark: of the request that asks for it; it is kept together with the message, or neither is.
    /// - Returns: the message, and whether it is new.
    /// - Throws: `RequestMarkTaken` when a request of that mark's key has had its effect.
    func save(
        _ message: Message, in organization: OrganizationID, at now: Timestamp, once mark: RequestMark?
    ) async throws -> (message: StoredMessage, isNew: Bool)

    /// The message with `id`; `nil` when the organization has none such.
    func message(_ id: MessageID, in organization: OrganizationID) async throws -> StoredMessage?

    /// The message with `id`, whosever it is; `nil` when there is none. For the redirect, which knows no organization.
    func message(_ id: MessageID) async throws -> StoredMessage?

    /// Finds or makes the link of a message for each target. A target that a tracked link of the message has uses that
    /// one, another gets the next free index, and keeps it. However many call at once, one target gets one index.
    /// - Returns: the link for each of `links`, in their order; `nil` when the organization has no such message.
    /// - Throws: `TooManyLinks` when there are not enough indexes left; then none is added.
    func addLinks(
        _ links: [MailLink], to id: MessageID, in organization: OrganizationID
    ) async throws -> [MessageLink]?

    /// Switches a message's links off or on again.
    /// - Returns: the message as it is now; `nil` when the organization has none such.
    func setDisabled(
        _ isDisabled: Bool, message id: MessageID, in organization: OrganizationID
    ) async throws -> StoredMessage?

    /// The latest `expiresAt` of any message; `nil` when none has one. No link can be alive after it and the link
    /// lifetime.
    func latestExpiry() async throws -> Timestamp?
}

extension MessageStore {
    package func save(
        _ message: Message, in organization: OrganizationID, at now: Timestamp
    ) async throws -> (message: StoredMessage, isNew: Bool) {
        try await save(message, in: organization, at: now, once: nil)
    }
}
