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
            do throws(TrackingIDError) {
                _ = try LinkExpiry(
                    messageExpiresAt: message.expiresAt, composedAt: moment, lifetimeInDays: lifetime)
            } catch {
                throw BodyProblems(pointer.appending("expiresAt"), "must be a time from 1970 to 2106-02-07")
            }
            return message
        }
    }

    func save(
        _ content: Message, in organization: OrganizationID, once mark: RequestMark? = nil
    ) async throws -> (message: StoredMessage, isNew: Bool) {
        let saved = try await messages.save(content, in: organization, at: now(), once: mark)
        directory.update(saved.message)
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

    /// The message's link for each target, those of new ones durable. The next click finds them.
    func links(for wanted: [MailLink], of message: StoredMessage) async throws -> [TargetURL: MessageLink] {
        var links = message.links.trackedByTarget
        let missing = wanted.filter { links[$0.target] == nil }
        if !missing.isEmpty {
            guard let added = try await messages.addLinks(missing, to: message.id, in: message.organization) else {
                throw Problem.notFound
            }
            for link in added { links[link.target] = link }
        }
        // Of links that were there already, too: whoever added them may not have come as far as this.
        directory.add(wanted.compactMap { links[$0.target] }, to: message.id)
        return links
    }

    func message(_ id: MessageID, in organization: OrganizationID) async throws -> StoredMessage {
        guard let message = try await messages.message(id, in: organization) else { throw Problem.notFound }
        return message
    }

    /// The next click sees it.
    func setDisabled(
        _ isDisabled: Bool, _ id: MessageID, in organization: OrganizationID
    ) async throws -> StoredMessage {
        guard let message = try await messages.setDisabled(isDisabled, message: id, in: organization) else {
            throw Problem.notFound
        }
        directory.update(message)
        return message
    }
}
