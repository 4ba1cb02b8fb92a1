import HTTPTypes
import Hummingbird
import Identifiers
import JSON
import Messages
import Organizations
import StoragePorts
import TrackingIDs
import UseCases

/// Messages: storing one, reading it, and turning its links off and on.
struct MessageRoutes {
    let organizations: any OrganizationDirectory
    let catalog: MessageCatalog
    let archive: any MessageArchive
    let requests: IdempotentRequests

    var routes: [Route] {
        [
            Route(
                .post, "/v1/orgs/{org}/messages", .scopes([.compose]), work: .ofMessage,
                maximumBodySize: Request.maximumBodySize, create),
            Route(.get, "/v1/orgs/{org}/messages/{id}", .scopes([.compose, .read]), work: .heavy, read),
            Route(
                .post, "/v1/orgs/{org}/messages/{id}/disable", .scopes([.manage]), act: .messageDisabled, work: .heavy,
                takesBody: false
            ) {
                try await setDisabled(true, $0)
            },
            Route(
                .post, "/v1/orgs/{org}/messages/{id}/enable", .scopes([.manage]), act: .messageEnabled, work: .heavy,
                takesBody: false
            ) {
                try await setDisabled(false, $0)
            },
        ]
    }

    @Sendable private func create(_ call: AuthenticatedRequest) async throws -> Response {
        let body = try await call.repeatableJSONBytes()
        // After the body, because the settings may change while it is on its way.
        let organization = try await organizations.known(try call.organization)
        return try await requests.answer(call, body: body) { fingerprint in
            let document = try JSONValue.parse(body)
            let content = try await catalog.read(in: organization, archive) { shape throws(BodyProblems) in
                try shape.read(document)
            } message: {
                $0
            }
            let saved = try await catalog.namingEnd(at: .root) {
                try await catalog.saveDurably(content, in: organization.id, fingerprint: fingerprint)
            }
            guard !saved.isNew else { return try answer(.created, saved.message, of: organization) }
            return try answer(.ok, try await stored(saved.message.id, call), of: organization)
        } replay: { effect in
            let message = try await stored(MessageID(effect.first), call)
            return try answer(effect.isNew ? .created : .ok, message, of: organization)
        }
    }

    /// A message that an earlier request made, with the links that were added to it since.
    private func stored(_ id: MessageID, _ call: AuthenticatedRequest) async throws -> StoredMessage {
        try await call.enlarge(toRead: id, withAddedLinks: true, from: catalog)
        return try await catalog.message(id, in: try call.organization)
    }

    /// - Parameter hasContent: whether the answer repeats the content of the message.
    private func answer(
        _ status: HTTPResponse.Status, _ message: StoredMessage, of organization: Organization,
        hasContent: Bool = false
    ) throws -> Response {
        let skipped = catalog.skippedLinks(of: message, in: organization)
        let content = hasContent ? try message.content.canonicalJSON(.asGiven) : nil
        return .json(status) { writer in
            writer.object { writer in
                writer.members(of: message)
                if let skipped { writer.skipped(skipped.map { ($0.link, $0.reason) }) }
                if let content {
                    writer.key("content")
                    writer.raw(content)
                }
            }
        }
    }

    @Sendable private func read(_ call: AuthenticatedRequest) async throws -> Response {
        let message = try await catalog.message(try call.id("id"), in: try call.organization)
        return try await answer(message, hasContent: true)
    }

    private func setDisabled(_ isDisabled: Bool, _ call: AuthenticatedRequest) async throws -> Response {
        call.details.add("messageId", try call.id("id", as: MessageID.self))
        return try await answer(try await catalog.setDisabled(isDisabled, try call.id("id"), in: try call.organization))
    }

    private func answer(_ message: StoredMessage, hasContent: Bool = false) async throws -> Response {
        let organization = try await organizations.known(message.organization)
        return try answer(.ok, message, of: organization, hasContent: hasContent)
    }
}

extension JSONWriter {
    fileprivate mutating func members(of message: StoredMessage) {
        member("id", message.id.description)
        member("name", message.content.name)
        tags(message.content.tags)
        key("links")
        array { writer in
            for link in message.links {
                writer.object { writer in
                    writer.member("index", link.index.rawValue)
                    writer.member("url", link.target.text)
                    writer.member("where", link.location)
                    writer.member("label", link.label)
                    writer.member("tracked", link.isTracked)
                }
            }
        }
        member("createdAt", message.createdAt.rfc3339)
        member("disabled", message.isDisabled)
    }
}
