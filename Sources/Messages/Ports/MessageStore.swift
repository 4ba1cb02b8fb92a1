package import Identifiers

/// Keeps messages and says where their links lead. May be called at once from anywhere; what it wrote is durable when
/// the call returns. What it found may be less durable on a server whose commits were broken off while they waited for
/// a standby: a later write makes it so, and so does ``confirm()``.
package protocol MessageStore: Sendable {
    /// Stores a message, or finds the one of the same organization, content and name that is stored already.
    /// - Parameter fingerprint: of the request that asks for it; it is kept together with the message, or neither is.
    /// - Returns: the message without the links that were added to it, and whether it is new.
    /// - Throws: `IdempotencyKeyTaken` when a request with the same idempotency key has had its effect.
    ///   ``MessageHasEnded`` when the message is not stored yet and its links would record nothing any more; then nothing
    ///   happened.
    func save(
        _ message: Message, in organization: OrganizationID, at now: Timestamp, fingerprint: IdempotencyFingerprint?
    ) async throws -> (message: StoredMessage, isNew: Bool)

    /// Makes everything that was found before the call as durable as what is written.
    func confirm() async throws

    /// The message with `id`; `nil` when the organization has none such.
    func message(_ id: MessageID, in organization: OrganizationID) async throws -> StoredMessage?

    /// The same without the links that were added to it: what reading it costs does not grow with them.
    func messageWithoutAddedLinks(_ id: MessageID, in organization: OrganizationID) async throws -> StoredMessage?

    /// About how many bytes of memory the content of a message takes, of any organization; `nil` when there is none. Reads
    /// nothing of it.
    func size(of id: MessageID) async throws -> Int?

    /// About how many bytes of memory the links take that were added to a message. Looks at no more of them than it takes
    /// to find more than `limit` bytes.
    func sizeOfAddedLinks(of id: MessageID, upTo limit: Int) async throws -> Int

    /// The message with `id`, of any organization; `nil` when there is none. For the redirect, which knows no
    /// organization.
    /// - Throws: ``UnreadableMessage``
    func message(_ id: MessageID) async throws -> StoredMessage?

    /// Finds or makes the link of a message for each target. A target that a tracked link of the message has uses that
    /// one, another gets the next free index, and keeps it. However many call at once, one target gets one index.
    /// - Returns: the link for each of `links`, in their order, and `nil` for each that no index is left for; `nil` when
    ///   the organization has no such message.
    func addLinks(
        _ links: [MailLink], to id: MessageID, in organization: OrganizationID
    ) async throws -> [MessageLink?]?

    /// Switches a message's links off or on again. Its ``MessageObserver`` has been told when the call returns.
    /// - Returns: the message as it is now; `nil` when the organization has none such.
    func setDisabled(
        _ isDisabled: Bool, message id: MessageID, in organization: OrganizationID
    ) async throws -> StoredMessage?
}

extension MessageStore {
    /// Where what can be found is durable.
    package func confirm() async throws {}

    package func save(
        _ message: Message, in organization: OrganizationID, at now: Timestamp
    ) async throws -> (message: StoredMessage, isNew: Bool) {
        try await save(message, in: organization, at: now, fingerprint: nil)
    }
}

/// What is stored of a message is nothing that a version of the service writes.
package struct UnreadableMessage: Error, CustomStringConvertible {
    package init() {}
    package var description: String { "a stored message cannot be read" }
}
