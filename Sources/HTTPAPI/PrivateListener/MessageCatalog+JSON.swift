import Identifiers
import JSON
import Messages
import Organizations
import TrackingIDs
import UseCases

extension MessageCatalog {
    /// Reads what has a message of `organization`. One that is stored already is read also where `targetHosts` would no
    /// longer allow its links: they hold for messages that are made from now on.
    ///
    /// Never inlined, for the reason that ``AuthenticatedRequest/json(as:)`` has.
    ///
    /// - Parameters:
    ///   - read: reads all of it with the shape of the message.
    ///   - message: the message in what was read; `nil` when it only names one.
    @inline(never)
    func read<Value>(
        in organization: Organization, _ archive: any MessageArchive,
        _ read: (JSONShape<Message>) throws(BodyProblems) -> Value, message: (Value) -> Message?
    ) async throws -> Value {
        let refusal: BodyProblems
        do throws(BodyProblems) {
            return try read(shape(for: organization))
        } catch {
            refusal = error
        }
        guard !organization.targetHosts.isEmpty,
            let value = try? read(shape(for: organization, linksMayLeadAnywhere: true)), let content = message(value),
            try await archive.id(of: content, in: organization.id) != nil
        else { throw refusal }
        return value
    }

    /// How `organization` may write a message.
    private func shape(for organization: Organization, linksMayLeadAnywhere: Bool = false) -> JSONShape<Message> {
        let rules = rules(for: organization)
        let shape = Message.shape(rules: rules, linkRules: linksMayLeadAnywhere ? rules.forAnyHost : nil)
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

    /// Runs `body`, which stores a message that stands at `pointer`. One that is stored already may have ended since.
    func namingEnd<Value>(at pointer: JSONPointer, _ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch is MessageHasEnded {
            throw BodyProblems(pointer.appending("expiresAt"), "must be later than now")
        }
    }

    /// The message that a body names at `pointer`, without the links that were added to it.
    func messageWithoutAddedLinks(
        _ id: MessageID, in organization: OrganizationID, namedAt pointer: JSONPointer
    ) async throws -> StoredMessage {
        guard let message = try await findWithoutAddedLinks(id, in: organization) else {
            throw BodyProblems.unknownMessage(at: pointer)
        }
        return message
    }
}

extension BodyProblems {
    static func unknownMessage(at pointer: JSONPointer) -> BodyProblems {
        BodyProblems(pointer, "is not a message of this organization")
    }
}

extension AuthenticatedRequest {
    /// Counts the request among the large ones when the stored message that it names is large.
    ///
    /// - Throws: 503 when too many large requests are under way. Nothing of a large message is read then.
    func enlarge(
        toRead id: MessageID, withAddedLinks hasLinks: Bool, from catalog: MessageCatalog
    ) async throws {
        guard let permit else { return }
        if try await !catalog.isSmall(id, withAddedLinks: hasLinks, upTo: Route.Work.lightBodySize) {
            try permit.enlarge()
        }
    }
}
