import Hummingbird
import Identifiers
import Interactions
import JSON
import Messages
import Organizations
import Redirect

/// What recipients did, in the order in which it was stored.
struct InteractionRoutes {
    let interactions: any InteractionStore
    let messages: any MessageStore
    let drain: Drain

    var routes: [Route] {
        [
            Route(.get, "/v1/orgs/{org}/interactions", .scopes([.read])) { call in
                var query = try QueryReader(call.request)
                let asked = InteractionQuery(
                    message: try query.take("message", MessageID.parse), kind: try query.takeChoice("type"),
                    from: try query.take("from", Timestamp.init(rfc3339:)),
                    to: try query.take("to", Timestamp.init(rfc3339:)),
                    after: try query.take("after", InteractionCursor.init)?.last)
                let limit = try query.take("limit", PageLimit.init) ?? .standard
                try query.finish()
                return try await list(asked, limit, call)
            },
            Route(.post, "/v1/orgs/{org}/interactions/query", .scopes([.read])) { call in
                let (asked, limit) = try await call.request.json(as: Self.queryShape)
                return try await list(asked, limit, call)
            },
        ]
    }

    private static var queryShape: JSONShape<(InteractionQuery, PageLimit)> {
        .object { fields throws(BodyProblems) in
            let query = InteractionQuery(
                recipient: fields.optional("recipient", .string(RecipientID.init)),
                message: fields.optional("message", .string(MessageID.parse)),
                kind: fields.optional("type", JSONShape<InteractionKind>.choice),
                from: fields.optional("from", .string(Timestamp.init(rfc3339:))),
                to: fields.optional("to", .string(Timestamp.init(rfc3339:))),
                after: fields.optional("after", .string(InteractionCursor.init))?.last)
            let limit = fields.optional("limit", PageLimit.shape, default: .standard)
            try fields.finish()
            return (query, limit)
        }
    }

    private func list(_ query: InteractionQuery, _ limit: PageLimit, _ call: Call) async throws -> Response {
        let organization = try call.organization
        await drain.catchUp()
        let found = try await interactions.interactions(
            matching: query, limit: limit.count + 1, in: organization)
        let page = Page(found, limit: limit)
        let links = try await links(of: page.items, in: organization)
        let cursor = InteractionCursor(last: page.items.last?.id ?? query.after)
        return .json { writer in
            writer.object { writer in
                writer.key("interactions")
                writer.array { writer in
                    for item in page.items {
                        writer.object { $0.members(of: item, link: links[item.message]?[item.link]) }
                    }
                }
                writer.member("next", page.hasNext ? cursor.description : nil)
                writer.member("cursor", cursor.description)
            }
        }
    }

    private func links(
        of items: ArraySlice<Interaction>, in organization: OrganizationID
    ) async throws -> [MessageID: [LinkIndex: MessageLink]] {
        var links: [MessageID: [LinkIndex: MessageLink]] = [:]
        for id in Set(items.map(\.message)) {
            guard let message = try await messages.message(id, in: organization) else { continue }
            links[id] = Dictionary(uniqueKeysWithValues: message.content.links.map { ($0.index, $0) })
        }
        return links
    }
}

/// A place in the feed of interactions: after one of them, or before the first.
struct InteractionCursor: CustomStringConvertible {
    private static let start = "0"

    let last: InteractionID?

    init(last: InteractionID?) { self.last = last }

    init(_ text: String) throws(IdentifierError) {
        last = text == Self.start ? nil : try InteractionID(text)
    }

    var description: String { last?.description ?? Self.start }
}

extension JSONWriter {
    fileprivate mutating func members(of interaction: Interaction, link: MessageLink?) {
        member("id", interaction.id.description)
        member("type", interaction.kind.rawValue)
        member("occurredAt", interaction.occurredAt.rfc3339)
        member("recordedAt", interaction.recordedAt.rfc3339)
        member("recipient", interaction.recipient?.text)
        member("message", interaction.message.description)
        key("link")
        if let link {
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
