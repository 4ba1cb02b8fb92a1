import Identifiers
import JSON
import Messages
import Organizations
import TrackingIDs
import UseCases

extension MessageCatalog {
    /// Reads a value that contains a message of `organization`. A message that is stored already is accepted even if
    /// `targetHosts` no longer allows its links: the setting applies to new messages.
    ///
    /// Never inlined, for the same reason as ``AuthenticatedRequest/json(as:)``.
    ///
    /// - Parameters:
    ///   - read: reads the whole value with the shape of the message.
    ///   - message: the message in the value; `nil` if the value only names one.
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

    /// The messages that `organization` may write.
    private func shape(for organization: Organization, linksMayLeadAnywhere: Bool = false) -> JSONShape<Message> {
        let rules = rules(for: organization)
        let shape = Message.shape(rules: rules, linkRules: linksMayLeadAnywhere ? rules.forAnyHost : nil)
        let lifetime = linkLifetimeInDays
        let time = now()
        // `nil` if service time is too late for any link.
        let latest = try? LinkExpiry(messageExpiresAt: nil, composedAt: time, lifetimeInDays: lifetime)
        return JSONShape { value, pointer throws(BodyProblems) in
            let message = try shape.read(value, at: pointer)
            guard let expiresAt = message.expiresAt else { return message }
            let isWithinLifetime: Bool
            do throws(TrackingIDError) {
                _ = try LinkExpiry(messageExpiresAt: expiresAt, composedAt: time, lifetimeInDays: lifetime)
                isWithinLifetime = latest.map { expiresAt <= $0.timestamp } ?? true
            } catch {
                throw BodyProblems(pointer.appending("expiresAt"), "must be a time from 1970 to 2106-02-07")
            }
            // Otherwise one message could prevent the removal of every signing key.
            guard isWithinLifetime else {
                throw BodyProblems(
                    pointer.appending("expiresAt"),
                    "must be at most \(lifetime) days ahead, which is the lifetime of links")
            }
            return message
        }
    }

    /// Runs `body`, which stores the message at `pointer`. A message that is stored already may have expired since.
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
    /// Counts the request as large if the stored message of its organization that it names is large. For a message of
    /// another organization it is counted as for one that does not exist.
    ///
    /// - Throws: 503 if too many large requests are in progress. Nothing of a large message is read then.
    func enlarge(
        toRead id: MessageID, withAddedLinks hasLinks: Bool, from catalog: MessageCatalog
    ) async throws {
        guard let permit else { return }
        let isSmall = try await catalog.isSmall(
            id, in: try organization, withAddedLinks: hasLinks, upTo: Route.Work.lightBodySize)
        if !isSmall { try permit.enlarge() }
    }
}
