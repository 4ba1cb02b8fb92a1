package import Identifiers
package import Interactions
package import Messages

/// An interaction together with its link.
package struct LinkedInteraction: Sendable {
    package let interaction: Interaction
    /// `nil` if the interaction was with the message itself.
    package let link: MessageLink?
}

/// Interactions, each with its link.
package struct LinkedInteractions: Sendable {
    private let interactions: any InteractionStore
    private let messages: any MessageStore

    package init(interactions: any InteractionStore, messages: any MessageStore) {
        self.interactions = interactions
        self.messages = messages
    }

    /// Whether a reader of the organization's feed can have got `cursor`.
    package func isKnown(_ cursor: InteractionFeedCursor, in organization: OrganizationID) async throws -> Bool {
        try await interactions.isKnown(cursor, in: organization)
    }

    /// At most `limit` of those that fit `query`, in the order in which they were stored.
    package func matching(
        _ query: InteractionQuery, limit: Int, in organization: OrganizationID
    ) async throws -> [LinkedInteraction] {
        guard let query = Self.narrowed(query) else { return [] }
        return try await linked(
            try await interactions.interactions(matching: query, limit: limit, in: organization), in: organization)
    }

    /// The same for a reader that asks again until something fits.
    /// - Returns: those that fit; and if there are none, the place behind which the next question can begin, if one is
    ///   known.
    package func following(
        _ query: InteractionQuery, limit: Int, in organization: OrganizationID
    ) async throws -> (interactions: [LinkedInteraction], passed: InteractionFeedCursor?) {
        guard let query = Self.narrowed(query) else { return ([], nil) }
        let found = try await interactions.following(query, limit: limit, in: organization)
        return (try await linked(found.interactions, in: organization), found.passed)
    }

    /// Only clicks have a link, so other kinds need not be searched for it.
    /// - Returns: `nil` if nothing can fit.
    private static func narrowed(_ query: InteractionQuery) -> InteractionQuery? {
        guard query.link != nil else { return query }
        guard [nil, .pushLinkClicked].contains(query.kind) else { return nil }
        var query = query
        query.kind = .pushLinkClicked
        return query
    }

    private func linked(
        _ found: [Interaction], in organization: OrganizationID
    ) async throws -> [LinkedInteraction] {
        var links: [MessageID: [LinkIndex: MessageLink]] = [:]
        for id in Set(found.map(\.message)) {
            guard let message = try await messages.message(id, in: organization) else { continue }
            links[id] = Dictionary(message.links.map { ($0.index, $0) }) { own, _ in own }
        }
        return found.map { LinkedInteraction(interaction: $0, link: links[$0.message]?[$0.link]) }
    }
}
