import Identifiers
import JSON
import Messages
import Organizations
import Redirect
import TrackingIDs

/// Stores messages and keeps the redirect's memory of them in step.
struct MessageKeeper: Sendable {
    let messages: any MessageStore
    let directory: LinkDirectory
    let publicOrigin: PublicOrigin
    let linkLifetimeInDays: Int
    let now: @Sendable () -> Timestamp

    /// Where links of `organization` may lead.
    func rules(for organization: Organization) -> TargetRules {
        TargetRules(ownOrigin: publicOrigin, allowedHosts: organization.targetHosts)
    }

    /// How `organization` may write a message.
    func shape(for organization: Organization) -> JSONShape<Message> {
        let shape = Message.shape(rules: rules(for: organization))
        let lifetime = linkLifetimeInDays
        let moment = now()
        return JSONShape { value, pointer throws(BodyProblems) in
            let message = try shape.read(value, at: pointer)
            let isWithinLifetime: Bool
            do throws(TrackingIDError) {
                let expiry = try LinkExpiry(
                    messageExpiresAt: message.expiresAt, composedAt: moment, lifetimeInDays: lifetime)
                let latest = try LinkExpiry(messageExpiresAt: nil, composedAt: moment, lifetimeInDays: lifetime)
                isWithinLifetime = expiry <= latest
            } catch {
                throw BodyProblems(pointer.appending("expiresAt"), "must be a time from 1970 to 2106-02-07")
            }
            // Otherwise one message would keep every signing key from being retired.
            guard isWithinLifetime else {
                throw BodyProblems(
                    pointer.appending("expiresAt"),
                    "must be at most \(lifetime) days ahead, which is the lifetime of links")
            }
            return message
        }
    }

    func save(
        _ content: Message, in organization: OrganizationID, once mark: RequestMark? = nil
    ) async throws -> (message: StoredMessage, isNew: Bool) {
        let reading = directory.reading()
        let saved = try await messages.save(content, in: organization, at: now(), once: mark)
        if !saved.isNew { directory.remember(saved.message, as: reading) }
        return saved
    }

    /// The message that a body names at `pointer`.
    func message(
        _ id: MessageID, in organization: OrganizationID, namedAt pointer: JSONPointer
    ) async throws -> StoredMessage {
        guard let message = try await messages.message(id, in: organization) else {
            throw BodyProblems(pointer, "is not a message of this organization")
        }
        return message
    }

    /// What of its mail stays as it is for everybody; `nil` for a message without a mail, and for one that a later
    /// version of the service would not take.
    func skippedLinks(of message: StoredMessage, in organization: Organization) -> [SkippedLink]? {
        guard message.content.html != nil || message.content.text != nil else { return nil }
        return try? message.content.skippedLinks(rules: rules(for: organization))
    }

    /// The message's link for each target, those of new ones durable. The next click finds them. A new target that the
    /// message has no index left for has none.
    func links(
        for wanted: [MailLink], of message: StoredMessage, _ known: KnownLinks
    ) async throws -> [TargetURL: MessageLink] {
        let missing = known.missing(of: wanted)
        if !missing.isEmpty {
            guard let added = try await messages.addLinks(missing, to: message.id, in: message.organization) else {
                throw Problem.notFound
            }
            known.add(added.compactMap(\.self))
        }
        let links = known.links(for: wanted)
        // Of links that were there already, too: whoever added them may not have come as far as this.
        directory.add(wanted.compactMap { links[$0.target] }, to: message.id)
        return links
    }

    func message(_ id: MessageID, in organization: OrganizationID) async throws -> StoredMessage {
        guard let message = try await messages.message(id, in: organization) else { throw Problem.notFound }
        return message
    }

    /// The next click sees it: the store tells the directory in the order of its commits.
    func setDisabled(
        _ isDisabled: Bool, _ id: MessageID, in organization: OrganizationID
    ) async throws -> StoredMessage {
        guard let message = try await messages.setDisabled(isDisabled, message: id, in: organization) else {
            throw Problem.notFound
        }
        return message
    }
}
