import Consent
import Hummingbird
import Identifiers
import JSON
import Organizations
import UseCases
import Webhooks

/// The endpoints to which an organization's events are sent.
struct EndpointRoutes {
    let store: any EndpointStore
    let secrets: EndpointSecrets
    let now: @Sendable () -> Timestamp

    private static let path: RouterPath = "/v1/orgs/{org}/endpoints"
    private static let one: RouterPath = "/v1/orgs/{org}/endpoints/{endpoint}"

    var routes: [Route] {
        [
            Route(.get, Self.path, .scopes([.manage]), list),
            Route(.post, Self.path, .scopes([.manage]), act: .endpointCreated, create),
            Route(.get, Self.one, .scopes([.manage])) { call in
                try answer(try await store.endpoint(call.id("endpoint"), in: try call.organization))
            },
            Route(.patch, Self.one, .scopes([.manage]), act: .endpointChanged, change),
            Route(.delete, Self.one, .scopes([.manage]), act: .endpointDeleted, remove),
            Route(
                .post, "/v1/orgs/{org}/endpoints/{endpoint}/disable", .scopes([.manage]), act: .endpointDisabled,
                takesBody: false
            ) { call in
                try await setEnabled(false, call)
            },
            Route(
                .post, "/v1/orgs/{org}/endpoints/{endpoint}/enable", .scopes([.manage]), act: .endpointEnabled,
                takesBody: false
            ) { call in
                try await setEnabled(true, call)
            },
            Route(
                .post, "/v1/orgs/{org}/endpoints/{endpoint}/secret", .scopes([.manage]), act: .endpointSecretRotated,
                takesBody: false, rotate),
            Route(
                .post, "/v1/orgs/{org}/endpoints/{endpoint}/replay", .scopes([.manage]), act: .endpointReplayed, replay),
            Route(
                .post, "/v1/orgs/{org}/endpoints/{endpoint}/test", .scopes([.manage]), act: .endpointTested,
                takesBody: false, test),
            Route(.get, "/v1/orgs/{org}/endpoints/{endpoint}/attempts", .scopes([.manage]), attempts),
        ]
    }

    @Sendable private func list(_ call: AuthenticatedRequest) async throws -> Response {
        guard let endpoints = try await store.endpoints(of: try call.organization) else { throw Problem.notFound }
        return .list("endpoints", endpoints) { $1.members(of: $0) }
    }

    @Sendable private func create(_ call: AuthenticatedRequest) async throws -> Response {
        let organization = try call.organization
        let new = try await call.json(as: .newEndpoint)
        guard call.mayReadRecipients || !new.includesRecipient else { throw RecipientsNotPermitted() }
        let (secret, sealed) = try secrets.make(for: organization)
        do {
            let made = try await store.create(new, secret: sealed, in: organization, at: now())
            return try answer(made, call, status: .created, secret: secret)
        } catch is TooManyEndpoints {
            throw Problem(.conflict, "An organization has \(Endpoint.maximumCount) endpoints at most.")
        }
    }

    @Sendable private func change(_ call: AuthenticatedRequest) async throws -> Response {
        let id = try call.id("endpoint", as: EndpointID.self)
        let change = try await call.json(as: .endpointChange)
        let changed = try await store.change(
            id, in: try call.organization, by: change, mayReadRecipients: call.mayReadRecipients, at: now())
        return try answer(changed, call)
    }

    @Sendable private func remove(_ call: AuthenticatedRequest) async throws -> Response {
        let id = try call.id("endpoint", as: EndpointID.self)
        call.details.add("endpointId", id)
        guard try await store.remove(id, in: try call.organization) else { throw Problem.notFound }
        return Response(status: .noContent)
    }

    private func setEnabled(_ isEnabled: Bool, _ call: AuthenticatedRequest) async throws -> Response {
        let id = try call.id("endpoint", as: EndpointID.self)
        return try answer(try await store.setEnabled(isEnabled, id, in: try call.organization, at: now()), call)
    }

    @Sendable private func rotate(_ call: AuthenticatedRequest) async throws -> Response {
        let organization = try call.organization
        let (secret, sealed) = try secrets.make(for: organization)
        let id = try call.id("endpoint", as: EndpointID.self)
        let rotated = try await store.rotate(id, to: sealed, in: organization, at: now())
        return try answer(rotated, call, secret: secret)
    }

    @Sendable private func replay(_ call: AuthenticatedRequest) async throws -> Response {
        let id = try call.id("endpoint", as: EndpointID.self)
        let position = try await call.json(as: .replay).position
        do {
            let replayed = try await store.replay(
                id, from: position, in: try call.organization, mayReadRecipients: call.mayReadRecipients, at: now())
            return try answer(replayed, call)
        } catch is ConsentFeedCursorError {
            throw Problem.foreignCursor(in: call.request)
        }
    }

    @Sendable private func test(_ call: AuthenticatedRequest) async throws -> Response {
        let id = try call.id("endpoint", as: EndpointID.self)
        call.details.add("endpointId", id)
        do {
            guard let event = try await store.test(id, in: try call.organization, at: now()) else {
                throw Problem.notFound
            }
            return .json(.accepted) { writer in
                writer.object { $0.member("webhookId", WebhookSignature.id(of: event.id, for: id)) }
            }
        } catch is EndpointDisabled {
            throw Problem(.conflict, "The endpoint is switched off. Enable it first.")
        }
    }

    @Sendable private func attempts(_ call: AuthenticatedRequest) async throws -> Response {
        let id = try call.id("endpoint", as: EndpointID.self)
        guard let attempts = try await store.attempts(of: id, in: try call.organization) else {
            throw Problem.notFound
        }
        return .list("attempts", attempts) { $1.members(of: $0) }
    }

    /// - Parameter call: the call whose details the log gets.
    private func answer(
        _ endpoint: Endpoint?, _ call: AuthenticatedRequest? = nil, status: HTTPResponse.Status = .ok,
        secret: EndpointSecret? = nil
    ) throws -> Response {
        guard let endpoint else { throw Problem.notFound }
        call?.details.add("endpointId", endpoint.id)
        return .json(status) { writer in writer.object { $0.members(of: endpoint, secret: secret) } }
    }
}

extension AuthenticatedRequest {
    /// A caller that has recipients sent to an endpoint must be allowed to read them itself.
    fileprivate var mayReadRecipients: Bool {
        guard case .key(let key) = principal else { return true }
        return key.scopes.contains(.read)
    }
}

private struct Replay {
    let position: ConsentFeedPosition?
}

extension JSONShape where Value == Replay {
    /// `{"after":"e12"}`
    fileprivate static var replay: JSONShape {
        .object { fields throws(BodyProblems) in
            let after = fields.required(
                "after",
                .string { text throws(CursorError) in Replay(position: try ConsentFeedPosition.readCursor(text)) })
            try fields.finish()
            return try after.get()
        }
    }
}
