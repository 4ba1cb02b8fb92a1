import Identifiers
import Interactions
import JSON
import Messages

/// An interaction together with the link that it was with.
struct LinkedInteraction: Sendable {
    let interaction: Interaction
    /// `nil` where it was with the message itself.
    let link: MessageLink?

    static let columns = [
        "id", "type", "occurredAt", "recordedAt", "recipient", "message", "link.index", "link.url", "link.label",
        "action", "source", "automated", "first",
    ]
}

/// Interactions, each with its link.
struct LinkedInteractions: Sendable {
    let interactions: any InteractionStore
    let messages: any MessageStore

    /// At most `limit` of those that fit `query`, in the order in which they were stored.
    func matching(
        _ query: InteractionQuery, limit: Int, in organization: OrganizationID
    ) async throws -> [LinkedInteraction] {
        let found = try await interactions.interactions(matching: query, limit: limit, in: organization)
        var links: [MessageID: [LinkIndex: MessageLink]] = [:]
        for id in Set(found.map(\.message)) {
            guard let message = try await messages.message(id, in: organization) else { continue }
            links[id] = Dictionary(uniqueKeysWithValues: message.links.map { ($0.index, $0) })
        }
        return found.map { LinkedInteraction(interaction: $0, link: links[$0.message]?[$0.link]) }
    }
}

extension JSONWriter {
    mutating func members(of item: LinkedInteraction) {
        let interaction = item.interaction
        member("id", interaction.id.description)
        member("type", interaction.kind.rawValue)
        member("occurredAt", interaction.occurredAt.rfc3339)
        member("recordedAt", interaction.recordedAt.rfc3339)
        member("recipient", interaction.recipient?.text)
        member("message", interaction.message.description)
        key("link")
        if let link = item.link {
            object { writer in
                writer.member("index", link.index.rawValue)
                writer.member("url", link.target.text)
                writer.member("label", link.label)
            }
        } else {
            null()
        }
        member("action", interaction.action?.text)
        member("source", interaction.source.rawValue)
        member("automated", interaction.automated)
        member("first", interaction.isFirst)
    }
}

extension CSVWriter {
    /// In the order of ``LinkedInteraction/columns``.
    mutating func cells(of item: LinkedInteraction) {
        let interaction = item.interaction
        cell(interaction.id.description)
        cell(interaction.kind.rawValue)
        cell(interaction.occurredAt.rfc3339)
        cell(interaction.recordedAt.rfc3339)
        cell(interaction.recipient?.text)
        cell(interaction.message.description)
        cell(item.link?.index.rawValue.description)
        cell(item.link?.target.text)
        cell(item.link?.label)
        cell(interaction.action?.text)
        cell(interaction.source.rawValue)
        cell(interaction.automated)
        cell(interaction.isFirst)
    }
}
