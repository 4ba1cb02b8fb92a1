import Consent
import Hummingbird
import Identifiers
import JSON
import Organizations
import UseCases

/// Consent records and erasures of recipients, in the order of the commits.
struct ConsentFeedRoutes {
    let feed: any ConsentFeed
    let watch: FeedWatch

    var routes: [Route] { [Route(.get, "/v1/orgs/{org}/consents", .scopes([.read]), readsQuery: true, list)] }

    @Sendable private func list(_ call: AuthenticatedRequest) async throws -> Response {
        var query = try QueryReader(call.request)
        let after = try query.take("after", ConsentFeedPosition.readCursor) ?? nil
        let limit = try query.takeLimit()
        let wait = try query.take("wait", FeedWait.init) ?? .none
        try query.finish()
        let organization = try call.organization
        let type = call.request.accept.choice(among: .json, .jsonLines)
        let wanted = type == .json ? limit.count + 1 : 1
        let found = try await watch.first(within: wait, for: call) {
            let items = try await read(after, wanted, organization)
            return items.isEmpty ? nil : items
        }
        guard type == .json else {
            return try await listing(organization).stream(
                type, after: after, call.validity, inChunks: call.request.allowsChunks)
        }
        let page = Page(found ?? [], limit: limit)
        let cursor = (page.items.last?.position ?? after)?.cursor ?? ConsentFeedPosition.start
        // Much evidence ends a page early; then what follows is on the next one.
        let hasNext = page.hasNext || found?.hasMuchEvidence ?? false
        return .feed("changes", page.items, hasNext: hasNext, cursor: cursor) { $1.members(of: $0) }
    }

    private func read(
        _ after: ConsentFeedPosition?, _ limit: Int, _ organization: OrganizationID
    ) async throws -> [ConsentFeedItem] {
        guard let items = try await feed.items(after: after, limit: limit, in: organization) else {
            throw Problem.cursorOfOtherFeed
        }
        return items
    }

    private func listing(_ organization: OrganizationID) -> Listing<ConsentFeedItem, ConsentFeedPosition> {
        Listing(
            columns: [], read: { try await read($0, $1, organization) }, cursor: { $0.position },
            writeJSON: { $1.members(of: $0) }, writeCSV: { _, _ in }, isCut: { $0.hasMuchEvidence })
    }
}

extension Problem {
    fileprivate static var cursorOfOtherFeed: Problem {
        Problem(
            query: "after",
            """
            is no place of this feed: it is of another organization, or the database was put back to an earlier state. \
            Read the feed from its beginning.
            """)
    }
}

extension JSONWriter {
    /// The members of an item, the same in pages and lines.
    mutating func members(of item: ConsentFeedItem) {
        member("cursor", item.position.cursor)
        switch item.content {
        case .recorded(let record, let recipient):
            member("kind", "consent.recorded")
            key("consent")
            object { $0.members(of: record, about: recipient) }
            member("erasedAt", nil as String?)
            key("erasure")
            null()
        case .erased(let instant, let erasure):
            member("kind", "recipient.erased")
            key("consent")
            null()
            member("erasedAt", instant.rfc3339)
            key("erasure")
            object { $0.members(of: erasure) }
        }
    }
}
