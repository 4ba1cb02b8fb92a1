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

    /// How `organization` may write a message.
    func shape(for organization: Organization) -> JSONShape<Message> {
        let rules = TargetRules(ownOrigin: publicOrigin, allowedHosts: organization.targetHosts)
        let shape = Message.shape(rules: rules)
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
