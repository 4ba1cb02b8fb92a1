package import Identifiers

/// Stores messages and finds where their links lead. All calls may be concurrent; what a call has written is durable
/// when it returns. What a call has found may be less durable, on a server whose commits were interrupted while they
/// waited for a standby: a later write, or ``confirm()``, makes it durable.
package protocol MessageStore: Sendable {
    /// Stores a message, or finds the stored one of the same organization, content and name.
    /// - Parameter fingerprint: the fingerprint of the request; it is stored together with the message, or neither is.
    /// - Returns: the message without the links that were added to it, and whether it is new.
    /// - Throws: `IdempotencyKeyTaken` if a request with the same idempotency key has had its effect.
    ///   ``MessageHasEnded`` if the message is not stored yet and its links would record nothing; then nothing is
    ///   stored.
    func save(
        _ message: Message, in organization: OrganizationID, at now: Timestamp, fingerprint: IdempotencyFingerprint?
    ) async throws -> (message: StoredMessage, isNew: Bool)

    /// Makes everything that was found before the call as durable as a write.
    func confirm() async throws

    /// The message with `id`; `nil` if the organization does not have it.
    func message(_ id: MessageID, in organization: OrganizationID) async throws -> StoredMessage?

    /// The message without the links that were added to it: the cost of the read does not grow with them.
    func messageWithoutAddedLinks(_ id: MessageID, in organization: OrganizationID) async throws -> StoredMessage?

    /// About how many bytes of memory the content of a message takes; `nil` if the organization does not have it. Does
    /// not read the content.
    func size(of id: MessageID, in organization: OrganizationID) async throws -> Int?

    /// About how many bytes of memory the links take that were added to a message; 0 if the organization does not have
    /// it. Reads only as many of them as it needs to find more than `limit` bytes.
    func sizeOfAddedLinks(of id: MessageID, in organization: OrganizationID, upTo limit: Int) async throws -> Int

    /// The message with `id`, of any organization; `nil` if there is none. For the redirect, which does not know the
    /// organization.
    /// - Throws: ``UnreadableMessage``
    func message(_ id: MessageID) async throws -> StoredMessage?

    /// Finds or makes the link of a message for each target. If a tracked link of the message has the target, that link
    /// is used; otherwise the target gets the next free index, which it then keeps. Concurrent calls give one target
    /// one index.
    /// - Returns: the link for each of `links`, in their order, and `nil` for each that no index is left for; `nil` if
    ///   the organization has no such message.
    func addLinks(
        _ links: [MailLink], to id: MessageID, in organization: OrganizationID
    ) async throws -> [MessageLink?]?

    /// Switches a message's links off or on again. Its ``MessageObserver`` has been told when the call returns.
    /// - Returns: the message as it is now; `nil` if the organization does not have it.
    func setDisabled(
        _ isDisabled: Bool, message id: MessageID, in organization: OrganizationID
    ) async throws -> StoredMessage?
}

extension MessageStore {
    /// For stores in which everything that can be found is durable.
    package func confirm() async throws {}
}

/// The stored content of a message cannot have been written by any version of the service.
package struct UnreadableMessage: Error, CustomStringConvertible {
    package init() {}
    package var description: String { "a stored message cannot be read" }
}
