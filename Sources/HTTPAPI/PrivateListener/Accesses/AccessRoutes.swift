import Consent
import Hummingbird
import Identifiers
import JSON
import Organizations
import UseCases

/// Accesses: who looked at which recipient, when, and why.
struct AccessRoutes {
    let accesses: PersonAccess
    let recording: AccessRecording

    var routes: [Route] {
        [
            Route(.get, "/v1/orgs/{org}/accesses", .scopes([.read]), readsQuery: true) { call in
                var query = try QueryReader(call.request)
                let times = try query.takeTimes()
                let asked = AccessQuery(
                    who: try query.takeText("who", AccessorName.read), from: times.from, to: times.to,
                    before: try query.take("after", ListCursor.accesses.read))
                let limit = try query.takeLimit()
                try query.finish()
                return try await list(asked, limit, call)
            },
            Route(.post, "/v1/orgs/{org}/accesses/query", .scopes([.read])) { call in
                let (asked, limit) = try await call.json(as: Self.queryShape)
                return try await list(asked, limit, call)
            },
        ]
    }

    private static var queryShape: JSONShape<(AccessQuery, PageLimit)> {
        .object { fields throws(BodyProblems) in
            let times = fields.times()
            let query = AccessQuery(
                who: fields.optional("who", .string(AccessorName.read)),
                recipient: fields.optional("recipient", .string(RecipientID.init)),
                from: times.from, to: times.to,
                before: fields.optional("after", .string(ListCursor.accesses.read)))
            let limit = fields.optional("limit", PageLimit.shape, default: .standard)
            try fields.finish()
            return (query, limit)
        }
    }

    private func list(_ query: AccessQuery, _ limit: PageLimit, _ call: AuthenticatedRequest) async throws -> Response {
        let organization = try call.organization
        if let before = query.before, try await !accesses.has(before, organization: organization) {
            throw Problem.foreignCursor(in: call.request)
        }
        let found = try await accesses.list(query, limit: limit.count + 1, organization: organization)
        // Recorded afterwards, so that a look does not show itself.
        try await recording.record(.accesses, of: query.recipient, call)
        let page = Page(found, limit: limit)
        let next = page.next { ListCursor.accesses.text(after: $0.id) }
        return .page("accesses", page.items, next: next) { $1.members(of: $0) }
    }
}

extension AccessorName {
    /// The name that `text` contains; a named function, for the shapes of bodies and queries.
    fileprivate static func read(_ text: String) throws(AccessTextError) -> AccessorName { try AccessorName(text) }
}

extension JSONWriter {
    fileprivate mutating func members(of access: AccessEntry) {
        member("id", access.id.description)
        member("accessedAt", access.accessedAt.rfc3339)
        member("who", access.who.description)
        member("what", access.what.rawValue)
        member("recipient", access.recipient?.text)
        member("reason", access.reason?.text)
    }
}
