import Hummingbird
import Identifiers
import JSON
import Messages
import Organizations

/// An organization's messages, newest first, without their content.
struct MessageListRoutes {
    let messages: any MessageArchive

    var routes: [Route] {
        [Route(.get, "/v1/orgs/{org}/messages", .scopes([.compose, .read]), readsQuery: true, list)]
    }

    @Sendable private func list(_ call: AuthenticatedRequest) async throws -> Response {
        var query = try QueryReader(call.request)
        let times = try query.takeTimes()
        let asked = MessageQuery(
            name: try query.takeText("name", MessageNamePrefix.init), tag: try query.takeText("tag", MessageTag.init),
            from: times.from, to: times.to,
            after: try query.take("after", ListCursor.messages.read))
        let limit = try query.takeLimit()
        try query.finish()
        let organization = try call.organization
        guard let found = try await messages.messages(matching: asked, limit: limit.count + 1, in: organization) else {
            throw Problem.foreignCursor(in: call.request)
        }
        let page = Page(found, limit: limit)
        let next = page.next { ListCursor.messages.text(after: $0.id) }
        return .page("messages", page.items, next: next) { $1.members(of: $0) }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of message: MessageSummary) {
        member("id", message.id.description)
        member("name", message.name)
        tags(message.tags)
        purposes(message.purposes)
        member("createdAt", message.createdAt.rfc3339)
        member("expiresAt", message.expiresAt?.rfc3339)
        member("disabled", message.isDisabled)
    }

    /// The member `purpose`, which is the purpose of clicks, and also `purposes` if opens have another one.
    fileprivate mutating func purposes(_ purposes: MessagePurposes) {
        member("purpose", purposes.clicks.description)
        guard purposes.shared == nil else { return }
        key("purposes")
        object { writer in
            for activity in TrackedActivity.allCases {
                writer.member(activity.rawValue, purposes[activity].description)
            }
        }
    }

    /// The member `tags`, as in every answer about a message.
    mutating func tags(_ tags: [MessageTag]) {
        key("tags")
        array { writer in
            for tag in tags { writer.string(tag.text) }
        }
    }
}
