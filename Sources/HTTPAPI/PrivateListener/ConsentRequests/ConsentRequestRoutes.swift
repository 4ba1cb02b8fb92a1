import Consent
import Hummingbird
import Identifiers
import JSON
import Organizations
import StoragePorts
import UseCases

/// Requests for consent, and their state. The service sends nothing: the backend sends the links.
struct ConsentRequestRoutes {
    private static let path: RouterPath = "/v1/orgs/{org}/consent-requests"

    let organizations: any OrganizationDirectory
    let store: any ConsentRequestStore
    let consent: any ConsentArchive
    let requesting: ConsentRequesting
    let requests: IdempotentRequests
    let accesses: AccessRecording
    let now: @Sendable () -> Timestamp

    var routes: [Route] {
        [
            Route(.post, Self.path, .scopes([.consent]), ask),
            Route(.get, Self.path, .scopes([.consent, .read]), readsQuery: true, list),
            Route(.post, "/v1/orgs/{org}/consent-requests/query", .scopes([.consent, .read]), query),
            Route(.get, "/v1/orgs/{org}/consent-requests/{request}", .scopes([.consent, .read]), read),
        ]
    }

    @Sendable private func ask(_ call: AuthenticatedRequest) async throws -> Response {
        let body = try await call.jsonBytes()
        // After the body, because the settings may change while it is on its way.
        let organization = try await organizations.known(try call.organization)
        return try await requests.answer(call, body: body) { fingerprint in
            let new = try JSONShape.consentRequest.read(try JSONValue.parse(body))
            do {
                switch try await requesting.ask(new, in: organization, at: now(), fingerprint: fingerprint) {
                case .made(let request): return try answer(.created, request, to: call)
                case .refused(let refusal): throw Problem(refusal)
                }
            } catch let error as TooManyPurposes {
                throw error.problems(in: new)
            }
        } replay: { effect in
            guard let request = try await store.request(ConsentRequestID(effect.first)) else {
                throw Problem.notFound
            }
            return try answer(.created, request, to: call)
        }
    }

    @Sendable private func read(_ call: AuthenticatedRequest) async throws -> Response {
        guard let request = try await store.request(try call.id("request")),
            request.organization == (try call.organization)
        else { throw Problem.notFound }
        try await accesses.record(.consentRequests, of: request.recipient, call)
        return try answer(.ok, request, to: call)
    }

    @Sendable private func query(_ call: AuthenticatedRequest) async throws -> Response {
        let organization = try call.organization
        let asked = try await call.json(as: .recipientAlone)
        let recipient = try await consent.firstName(of: asked, in: organization) ?? asked
        let found = try await store.requests(about: asked, in: organization)
        let shown = try found.map { try show($0, to: call, at: now()) }
        try await accesses.record(.consentRequests, of: recipient, call)
        return .json { writer in
            writer.object { writer in
                writer.member("recipient", recipient.text)
                writer.objects("requests", shown) { $1.members(of: $0) }
            }
        }
    }

    /// The requests whose recipients must be sent the second link.
    @Sendable private func list(_ call: AuthenticatedRequest) async throws -> Response {
        var query = try QueryReader(call.request)
        let state: ListedState? = try query.takeChoice("state")
        let after = try query.take("after", ConfirmationCursor.init) ?? .start
        let limit = try query.takeLimit()
        try query.finish()
        guard state != nil else { throw Problem(query: "state", "is required") }
        let organization = try call.organization
        // Any position is taken: its request may have been removed since, and positions grow. To refuse the position of
        // another organization's request would tell that it exists.
        let instant = now()
        let found = try await store.awaitingConfirmation(
            after: after.position, limit: limit.count + 1, in: organization, at: instant)
        let page = Page(found, limit: limit)
        let cursor = page.items.last.map(ConfirmationCursor.init(after:)) ?? after
        let shown = try page.items.map { try show($0, to: call, at: instant) }
        return .feed("requests", shown, hasNext: page.hasNext, cursor: cursor.description) { $1.members(of: $0) }
    }

    private func answer(
        _ status: HTTPResponse.Status, _ request: ConsentRequest, to call: AuthenticatedRequest
    ) throws -> Response {
        let shown = try show(request, to: call, at: now())
        return .json(status) { writer in writer.object { $0.members(of: shown) } }
    }

    private func show(
        _ request: ConsentRequest, to call: AuthenticatedRequest, at instant: Timestamp
    ) throws -> ShownConsentRequest {
        let state = request.state(at: instant)
        // Any holder of a link can answer: only a caller that may record consent gets it.
        guard call.principal.grantableScopes.contains(.consent) else {
            return ShownConsentRequest(request: request, state: state, links: nil)
        }
        let links = ShownConsentRequest.Links(
            url: try requesting.url(of: request, .question),
            confirmURL: state == .awaitingConfirmation ? try requesting.url(of: request, .confirmation) : nil)
        return ShownConsentRequest(request: request, state: state, links: links)
    }
}

/// The states by which a list can be filtered.
private enum ListedState: String, CaseIterable {
    case awaitingConfirmation
}

extension Problem {
    fileprivate init(_ refusal: AskingRefusal) {
        self =
            switch refusal {
            case .tooSoon(let until):
                Problem(
                    .conflict,
                    """
                    This recipient said no, or did not answer, too short a time ago. They may be asked from \
                    \(until.rfc3339) on.
                    """)
            case .erased:
                Problem(.conflict, "This recipient was erased. They may be asked once they have consented again.")
            }
    }
}
