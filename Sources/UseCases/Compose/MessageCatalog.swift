package import Identifiers
package import Messages
package import Organizations
package import Redirect

/// Stores messages and keeps the redirect's copy of them up to date.
package struct MessageCatalog: Sendable {
    private let messages: any MessageStore
    private let directory: LinkDirectory
    private let small = SmallMessages()
    package let publicOrigin: PublicOrigin
    package let linkLifetimeInDays: Int
    package let now: @Sendable () -> Timestamp

    package init(
        messages: any MessageStore, directory: LinkDirectory, publicOrigin: PublicOrigin, linkLifetimeInDays: Int,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.messages = messages
        self.directory = directory
        self.publicOrigin = publicOrigin
        self.linkLifetimeInDays = linkLifetimeInDays
        self.now = now
    }

    /// Where links of `organization` may lead.
    package func rules(for organization: Organization) -> TargetRules {
        TargetRules(ownOrigin: publicOrigin, allowedHosts: organization.targetHosts)
    }

    /// Stores a message, or finds the one with the same content and name, without its added links. Durable on return.
    /// - Throws: `MessageHasEnded` for a new message whose end has passed.
    package func save(
        _ content: Message, in organization: OrganizationID, fingerprint: IdempotencyFingerprint? = nil
    ) async throws -> (message: StoredMessage, isNew: Bool) {
        let reading = directory.reading()
        let saved = try await messages.save(content, in: organization, at: now(), fingerprint: fingerprint)
        if !saved.isNew { directory.remember(saved.message, as: reading) }
        return saved
    }

    /// Whether ``save(_:in:fingerprint:)`` would accept the message if it is new. Stores nothing.
    /// - Throws: `MessageHasEnded`
    package func requireStorable(_ new: Message) throws(MessageHasEnded) {
        guard !new.hasEnded(at: now()) else { throw MessageHasEnded() }
    }

    /// Stores a message and waits until it is durable even if it was stored before.
    ///
    /// ``save(_:in:fingerprint:)`` may return a message whose commit still waits for a standby.
    package func saveDurably(
        _ content: Message, in organization: OrganizationID, fingerprint: IdempotencyFingerprint?
    ) async throws -> (message: StoredMessage, isNew: Bool) {
        let saved = try await save(content, in: organization, fingerprint: fingerprint)
        if !saved.isNew { try await messages.confirm() }
        return saved
    }

    /// - Returns: `nil` if the organization has no such message.
    package func find(_ id: MessageID, in organization: OrganizationID) async throws -> StoredMessage? {
        try await messages.message(id, in: organization)
    }

    /// The message without its added links, which is enough to compose; `nil` if the organization has no such message.
    package func findWithoutAddedLinks(_ id: MessageID, in organization: OrganizationID) async throws -> StoredMessage?
    {
        try await messages.messageWithoutAddedLinks(id, in: organization)
    }

    /// Whether reading a message takes at most about `size` bytes. Does not read its content. A message that the
    /// organization does not have is small.
    ///
    /// - Parameters:
    ///   - size: must always be the same.
    ///   - hasLinks: whether the message is read with its added links.
    package func isSmall(
        _ id: MessageID, in organization: OrganizationID, withAddedLinks hasLinks: Bool, upTo size: Int
    ) async throws -> Bool {
        if !small.contains(id, in: organization) {
            guard let found = try await messages.size(of: id, in: organization) else { return true }
            guard found <= size else { return false }
            small.insert(id, in: organization)
        }
        guard hasLinks else { return true }
        // Asked each time, because their number grows.
        return try await messages.sizeOfAddedLinks(of: id, in: organization, upTo: size) <= size
    }

    /// - Throws: ``RequestRefusal/notFound`` if the organization has no such message.
    package func message(_ id: MessageID, in organization: OrganizationID) async throws -> StoredMessage {
        guard let message = try await find(id, in: organization) else { throw RequestRefusal.notFound }
        return message
    }

    /// The message without its added links.
    /// - Throws: ``RequestRefusal/notFound`` if the organization has no such message.
    package func messageWithoutAddedLinks(
        _ id: MessageID, in organization: OrganizationID
    ) async throws -> StoredMessage {
        guard let message = try await findWithoutAddedLinks(id, in: organization) else { throw RequestRefusal.notFound }
        return message
    }

    /// The links of its mail that stay unchanged for every recipient; `nil` for a message without a mail, or with one
    /// that a later version of the service would not accept.
    package func skippedLinks(of message: StoredMessage, in organization: Organization) -> [SkippedLink]? {
        guard message.content.html != nil || message.content.text != nil else { return nil }
        return try? message.content.skippedLinks(rules: rules(for: organization))
    }

    /// The message's link for each target. New links are durable on return, and the next click finds them. A new target
    /// has no link if the message has no index left.
    func links(
        for wanted: [MailLink], of message: StoredMessage, _ known: KnownLinks
    ) async throws -> [TargetURL: MessageLink] {
        let missing = known.missing(of: wanted)
        if !missing.isEmpty {
            guard let added = try await messages.addLinks(missing, to: message.id, in: message.organization) else {
                throw RequestRefusal.notFound
            }
            known.add(added.compactMap(\.self))
        }
        return known.links(for: wanted)
    }

    /// Switches the links of a message off or on. Durable on return. The next click sees it, because the store informs
    /// the directory in the order of its commits.
    package func setDisabled(
        _ isDisabled: Bool, _ id: MessageID, in organization: OrganizationID
    ) async throws -> StoredMessage {
        guard let message = try await messages.setDisabled(isDisabled, message: id, in: organization) else {
            throw RequestRefusal.notFound
        }
        return message
    }
}
