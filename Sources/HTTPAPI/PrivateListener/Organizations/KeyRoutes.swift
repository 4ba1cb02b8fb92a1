import Cryptography
import HTTPTypes
import Hummingbird
import Identifiers
import JSON
import Organizations
import UseCases

/// The keys with which backends of an organization call the API. A key is shown once, when it is made.
struct KeyRoutes {
    let organizations: any OrganizationStore
    let now: @Sendable () -> Timestamp

    var routes: [Route] {
        [
            Route(.get, "/v1/orgs/{org}/keys", .scopes([.manage]), readsQuery: true, list),
            Route(.post, "/v1/orgs/{org}/keys", .scopes([.manage]), act: .keyCreated, create),
            Route(.delete, "/v1/orgs/{org}/keys/{id}", .scopes([.manage]), act: .keyDeleted, remove),
        ]
    }

    @Sendable private func list(_ call: AuthenticatedRequest) async throws -> Response {
        var query = try QueryReader(call.request)
        let after = try query.take("after", ListCursor.keys.read)
        let limit = try query.takeLimit()
        try query.finish()
        let organization = try call.organization
        _ = try await organizations.known(organization)
        // Any id is taken: the key may have been deleted since, and ids grow. To refuse the key of another organization
        // would tell that it exists.
        let keys = try await organizations.keys(of: organization, after: after, limit: limit.count + 1)
        let page = Page(keys, limit: limit)
        let next = page.next { ListCursor.keys.text(after: $0.id) }
        return .page("keys", page.items, next: next) { key, writer in
            writer.members(of: key, secret: nil)
            writer.member("createdAt", key.createdAt.rfc3339)
            writer.member("lastUsedAt", key.lastUsedAt?.rfc3339)
        }
    }

    @Sendable private func create(_ call: AuthenticatedRequest) async throws -> Response {
        let wanted = try await call.json(as: NewKey.shape)
        guard wanted.scopes.isSubset(of: call.principal.grantableScopes) else {
            throw Problem(.forbidden, "A key can make only keys whose scopes it has itself.")
        }
        var generator = SecureRandom()
        let credential = Credential(using: &generator)
        let key = NewAPIKey(digest: credential.digest, name: wanted.name, scopes: wanted.scopes)
        let (organization, maker) = (try call.organization, call.principal.key)
        guard let stored = try await organizations.addKey(key, to: organization, by: maker?.id, at: now()) else {
            if maker != nil { try await call.validity.check() }
            throw Problem.notFound
        }
        call.details.add("keyId", stored.id)
        call.details.add("scopes", stored.scopes.names.joined(separator: ","))
        return .json(.created) { writer in
            writer.object { $0.members(of: stored, secret: credential.text) }
        }
    }

    @Sendable private func remove(_ call: AuthenticatedRequest) async throws -> Response {
        let id = try call.id("id", as: APIKeyID.self)
        call.details.add("keyId", id)
        guard try await organizations.removeKey(id, of: try call.organization) else { throw Problem.notFound }
        return Response(status: .noContent)
    }

    private struct NewKey {
        let scopes: Set<Scope>
        let name: String

        static var shape: JSONShape<NewKey> {
            .object { fields throws(BodyProblems) in
                let scopes = fields.required(
                    "scopes", .array(of: JSONShape<Scope>.choice, count: 1...Scope.allCases.count))
                let name = fields.optional(
                    "name", .text(length: 0...APIKey.maximumNameLength, allowing: .oneLine), default: "")
                try fields.finish()
                return NewKey(scopes: Set(try scopes.get()), name: name)
            }
        }
    }
}

extension JSONWriter {
    /// - Parameter secret: the key itself, for the only answer that shows it.
    fileprivate mutating func members(of key: APIKey, secret: String?) {
        member("id", key.id.description)
        if let secret { member("key", secret) }
        scopes(key.scopes)
        member("name", key.name)
    }

    mutating func scopes(_ scopes: Set<Scope>) {
        key("scopes")
        array { writer in
            for scope in Scope.allCases where scopes.contains(scope) { writer.string(scope.rawValue) }
        }
    }
}
