import Consent
import Hummingbird
import Identifiers
import JSON
import Organizations
import Redirect
import UseCases

/// Decisions: why recipients were tracked or not.
struct DecisionRoutes {
    let decisions: any DecisionArchive
    let consent: any ConsentArchive
    let interactions: LinkedInteractions
    let proofs: LedgerProofs
    let drain: Drain
    let accesses: AccessRecording

    var routes: [Route] {
        [
            Route(.get, "/v1/orgs/{org}/decisions", .scopes([.read]), readsQuery: true) { call in
                var query = try QueryReader(call.request)
                let times = try query.takeTimes()
                let asked = DecisionQuery(
                    message: try query.take("message", MessageID.parse), outcome: try query.takeChoice("outcome"),
                    reason: try query.takeChoice("reason"), from: times.from, to: times.to,
                    after: try query.take("after", ListCursor.decisions.read))
                let limit = try query.takeLimit()
                try query.finish()
                try await requireDecision(asked.after, call)
                return try await list(asked, limit, look: nil, call)
            },
            Route(.post, "/v1/orgs/{org}/decisions/query", .scopes([.read])) { call in
                let (asked, limit) = try await call.json(as: Self.queryShape)
                try await requireDecision(asked.after, call)
                let look = try await accesses.record(.decisions, of: asked.recipient, call)
                return try await list(asked, limit, look: look, call)
            },
            Route(.get, "/v1/orgs/{org}/decisions/{id}", .scopes([.read]), read),
        ]
    }

    private static var queryShape: JSONShape<(DecisionQuery, PageLimit)> {
        .object { fields throws(BodyProblems) in
            let times = fields.times()
            let query = DecisionQuery(
                recipient: fields.optional("recipient", .string(RecipientID.init)),
                message: fields.optional("message", .string(MessageID.parse)),
                outcome: fields.optional("outcome", JSONShape<DecisionOutcome>.choice),
                reason: fields.optional("reason", JSONShape<DecisionReason>.choice),
                from: times.from, to: times.to,
                after: fields.optional("after", .string(ListCursor.decisions.read)))
            let limit = fields.optional("limit", PageLimit.shape, default: .standard)
            try fields.finish()
            return (query, limit)
        }
    }

    /// Decisions are never removed, so a valid cursor of this list always names one.
    /// - Throws: 422 if the organization has no decision `after`.
    private func requireDecision(_ after: DecisionID?, _ call: AuthenticatedRequest) async throws {
        guard let after else { return }
        guard try await decisions.decision(after, in: try call.organization) != nil else {
            throw Problem.foreignCursor(in: call.request)
        }
    }

    private func list(
        _ query: DecisionQuery, _ limit: PageLimit, look: RecordedAccess?, _ call: AuthenticatedRequest
    ) async throws -> Response {
        let organization = try call.organization
        let type = call.request.accept.choice(among: .json, .jsonLines, .csv)
        guard type == .json else {
            return try await listing(query, in: organization, look).stream(
                type, after: query.after, call.validity, inChunks: call.request.allowsChunks)
        }
        let found = try await decisions.decisions(matching: query, limit: limit.count + 1, in: organization)
        let page = Page(try await look.showing(found), limit: limit)
        let next = page.next { ListCursor.decisions.text(after: $0.id) }
        return .page("decisions", page.items, next: next) { $1.members(of: $0) }
    }

    private func listing(
        _ query: DecisionQuery, in organization: OrganizationID, _ look: RecordedAccess?
    ) -> Listing<DecisionEntry, DecisionID> {
        Listing(
            columns: [
                "id", "decidedAt", "recipient", "message", "purpose", "outcome", "reason", "enforcement", "consent",
                "activity",
            ],
            read: { [decisions] after, limit in
                var query = query
                query.after = after
                return try await look.showing(decisions.decisions(matching: query, limit: limit, in: organization))
            },
            cursor: { $0.id }, writeJSON: { $1.members(of: $0) }, writeCSV: { $1.cells(of: $0) })
    }

    @Sendable private func read(_ call: AuthenticatedRequest) async throws -> Response {
        let organization = try call.organization
        await drain.catchUp()
        guard
            let answer = try await DecisionResponse(
                try call.id("id"), in: organization, decisions, consent, interactions, proofs)
        else { throw Problem.notFound }
        try await accesses.record(.decisions, of: answer.entry.recipient, call)
        return .json { writer in writer.object { answer.write(to: &$0) } }
    }
}

extension JSONWriter {
    mutating func members(of entry: DecisionEntry) {
        member("id", entry.id.description)
        member("decidedAt", entry.decidedAt.rfc3339)
        member("recipient", entry.recipient?.text)
        member("message", entry.message.description)
        member("purpose", entry.purpose.description)
        member("outcome", entry.reason.outcome.rawValue)
        member("reason", entry.reason.rawValue)
        member("enforcement", entry.enforcement.rawValue)
        member("consent", entry.consent?.description)
        member("activity", entry.activity?.rawValue)
    }
}

extension CSVWriter {
    fileprivate mutating func cells(of entry: DecisionEntry) {
        cell(entry.id.description)
        cell(entry.decidedAt.rfc3339)
        cell(entry.recipient?.text)
        cell(entry.message.description)
        cell(entry.purpose.description)
        cell(entry.reason.outcome.rawValue)
        cell(entry.reason.rawValue)
        cell(entry.enforcement.rawValue)
        cell(entry.consent?.description)
        cell(entry.activity?.rawValue)
    }
}
