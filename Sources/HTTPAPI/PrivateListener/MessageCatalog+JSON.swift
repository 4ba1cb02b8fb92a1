import Identifiers
import JSON
import Messages
import Organizations
import TrackingIDs
import UseCases

extension MessageCatalog {
    /// How `organization` may write a message.
    func shape(for organization: Organization) -> JSONShape<Message> {
        let shape = Message.shape(rules: rules(for: organization))
        let lifetime = linkLifetimeInDays
        let time = now()
        return JSONShape { value, pointer throws(BodyProblems) in
            let message = try shape.read(value, at: pointer)
            let isWithinLifetime: Bool
            do throws(TrackingIDError) {
                let expiry = try LinkExpiry(
                    messageExpiresAt: message.expiresAt, composedAt: time, lifetimeInDays: lifetime)
                let latest = try LinkExpiry(messageExpiresAt: nil, composedAt: time, lifetimeInDays: lifetime)
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

    /// The message that a body names at `pointer`.
    func message(
        _ id: MessageID, in organization: OrganizationID, namedAt pointer: JSONPointer
    ) async throws -> StoredMessage {
        guard let message = try await find(id, in: organization) else {
            throw BodyProblems(pointer, "is not a message of this organization")
        }
        return message
    }
}
