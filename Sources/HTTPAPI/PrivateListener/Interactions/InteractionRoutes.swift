import Consent
import Hummingbird
import Identifiers
import Interactions
import JSON
import Organizations
import Redirect
import UseCases

/// Interactions, in the order in which they were stored.
struct InteractionRoutes {
    let interactions: LinkedInteractions
    let drain: Drain
    let watch: FeedWatch
    let accesses: AccessRecording

    var routes: [Route] {
        [
            Route(.get, "/v1/orgs/{org}/interactions", .scopes([.read]), readsQuery: true) { call in
                var query = try QueryReader(call.request)
                let times = try query.takeTimes()
                let asked = InteractionQuery(
                    message: try query.take("message", MessageID.parse), kind: try query.takeChoice("type"),
                    activity: try query.takeChoice("activity"), visitor: try query.takeChoice("visitor"),
                    link: try query.take("link", LinkIndex.parse), automated: try query.takeBool("automated"),
                    isFirst: try query.takeBool("first"), from: times.from, to: times.to,
                    after: try query.take("after", InteractionCursor.init)?.after)
                let limit = try query.takeLimit()
                let wait = try query.take("wait", FeedWait.init) ?? .none
                try query.finish()
                try await requireKnown(asked.after, call)
                return try await list(asked, limit, wait, look: nil, call)
            },
            Route(.post, "/v1/orgs/{org}/interactions/query", .scopes([.read])) { call in
                let (asked, limit, wait) = try await call.json(as: Self.queryShape)
                try await requireKnown(asked.after, call)
                let look = try await accesses.record(.interactions, of: asked.recipient, call)
                return try await list(asked, limit, wait, look: look, call)
            },
        ]
    }

    private static var queryShape: JSONShape<(InteractionQuery, PageLimit, FeedWait)> {
        .object { fields throws(BodyProblems) in
            let times = fields.times()
            let query = InteractionQuery(
                recipient: fields.optional("recipient", .string(RecipientID.init)),
                message: fields.optional("message", .string(MessageID.parse)),
                kind: fields.optional("type", JSONShape<InteractionKind>.choice),
                activity: fields.optional("activity", JSONShape<TrackedActivity>.choice),
                visitor: fields.optional("visitor", JSONShape<VisitorClass>.choice),
                link: fields.optional("link", .followed), automated: fields.optional("automated", .bool),
                isFirst: fields.optional("first", .bool),
                from: times.from, to: times.to,
                after: fields.optional("after", .string(InteractionCursor.init))?.after)
            let limit = fields.optional("limit", PageLimit.shape, default: .standard)
            let wait = fields.optional("wait", FeedWait.shape, default: .none)
            try fields.finish()
            return (query, limit, wait)
        }
    }

    /// - Throws: 422 if `after` cannot be a place of the organization's feed.
    private func requireKnown(_ after: InteractionFeedCursor?, _ call: AuthenticatedRequest) async throws {
        guard let after else { return }
        guard try await interactions.isKnown(after, in: try call.organization) else {
            throw Problem.unknownCursor(in: call.request)
        }
    }

    private func list(
        _ query: InteractionQuery, _ limit: PageLimit, _ wait: FeedWait, look: RecordedAccess?,
        _ call: AuthenticatedRequest
    ) async throws -> Response {
        let organization = try call.organization
        await drain.catchUp()
        let type = call.request.accept.choice(among: .json, .jsonLines, .csv)
        let wanted = type == .json ? limit.count + 1 : 1
        // While it waits, each read continues behind the interactions that do not fit.
        var query = query
        let found = try await watch.first(within: wait, for: call) { () -> [LinkedInteraction]? in
            guard wait.duration > .zero else {
                return try await interactions.matching(query, limit: wanted, in: organization)
            }
            let (items, passed) = try await interactions.following(query, limit: wanted, in: organization)
            query.after = passed ?? query.after
            return items.isEmpty ? nil : items
        }
        guard type == .json else {
            return try await listing(query, in: organization, look).stream(
                type, after: query.after, call.validity, inChunks: call.request.allowsChunks)
        }
        let page = Page(try await look.showing(found ?? []), limit: limit)
        let cursor = InteractionCursor(
            after: page.items.last.map { .position($0.interaction.position) } ?? query.after)
        return .feed("interactions", page.items, hasNext: page.hasNext, cursor: cursor.description) {
            $1.members(of: $0)
        }
    }

    private func listing(
        _ query: InteractionQuery, in organization: OrganizationID, _ look: RecordedAccess?
    ) -> Listing<LinkedInteraction, InteractionFeedCursor> {
        Listing(
            columns: LinkedInteraction.columns,
            read: { [interactions] after, limit in
                var query = query
                query.after = after
                return try await look.showing(interactions.matching(query, limit: limit, in: organization))
            },
            cursor: { .position($0.interaction.position) }, writeJSON: { $1.members(of: $0) },
            writeCSV: { $1.cells(of: $0) })
    }
}

extension Problem {
    fileprivate static func unknownCursor(in request: Request) -> Problem {
        .foreignCursor(
            in: request,
            """
            \(CursorError()), or the database was put back to an earlier state. Go on with an earlier cursor or \
            from 0, and pass over what you have.
            """)
    }
}

extension LinkIndex {
    /// The indexes of links that can be followed: 0 is the message itself.
    fileprivate static let followed = UInt16(1)...UInt16.max

    fileprivate static func parse(_ text: String) throws(LinkIndexError) -> LinkIndex {
        guard let index = UInt16.parse(decimal: text), followed.contains(index) else { throw LinkIndexError() }
        return LinkIndex(rawValue: index)
    }
}

private struct LinkIndexError: Error, CustomStringConvertible {
    var description: String {
        "must be an integer from \(LinkIndex.followed.lowerBound) to \(LinkIndex.followed.upperBound)"
    }
}

extension JSONShape where Value == LinkIndex {
    fileprivate static var followed: JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            LinkIndex(rawValue: try JSONShape<UInt16>.integer(in: LinkIndex.followed).read(value, at: pointer))
        }
    }
}
