import Consent
import HTTPTypes
import Hummingbird
import Identifiers
import Interactions
import JSON
import Messages
import Organizations
import Redirect
import TrackingIDs
import UseCases

/// Messages, and what their recipients did with them.
struct MessageRoutes {
    let organizations: any OrganizationDirectory
    let catalog: MessageCatalog
    let decisions: any DecisionArchive
    let interactions: any InteractionStore
    let requests: IdempotentRequests
    let drain: Drain

    var routes: [Route] {
        [
            Route(
                .post, "/v1/orgs/{org}/messages", .scopes([.compose]), maximumBodySize: Request.maximumBodySize, create),
            Route(.get, "/v1/orgs/{org}/messages/{id}", .scopes([.compose, .read]), work: .heavy, read),
            Route(
                .post, "/v1/orgs/{org}/messages/{id}/disable", .scopes([.manage]), act: .messageDisabled, work: .heavy
            ) {
                try await setDisabled(true, $0)
            },
            Route(
                .post, "/v1/orgs/{org}/messages/{id}/enable", .scopes([.manage]), act: .messageEnabled, work: .heavy
            ) {
                try await setDisabled(false, $0)
            },
            Route(.get, "/v1/orgs/{org}/messages/{id}/report", .scopes([.read]), report),
        ]
    }

    @Sendable private func create(_ call: AuthenticatedRequest) async throws -> Response {
        guard let organization = try await organizations.organization(try call.organization) else {
            throw Problem.notFound
        }
        let body = try await call.jsonBytes()
        return try await requests.answer(call, body: body) { mark in
            let content = try catalog.shape(for: organization).read(try JSONValue.parse(body))
            let saved = try await catalog.save(content, in: organization.id, once: mark)
            return try answer(saved.isNew ? .created : .ok, saved.message, of: organization)
        } replay: { effect in
            let message = try await catalog.message(MessageID(effect.first), in: organization.id)
            return try answer(effect.isNew ? .created : .ok, message, of: organization)
        }
    }

    /// - Parameter hasContent: whether the answer repeats what the message says.
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
        call.details.note("messageId", try call.id("id", as: MessageID.self))
        return try await answer(try await catalog.setDisabled(isDisabled, try call.id("id"), in: try call.organization))
    }

    private func answer(_ message: StoredMessage, hasContent: Bool = false) async throws -> Response {
        guard let organization = try await organizations.organization(message.organization) else {
            throw Problem.notFound
        }
        return try answer(.ok, message, of: organization, hasContent: hasContent)
    }

    @Sendable private func report(_ call: AuthenticatedRequest) async throws -> Response {
        let organization = try call.organization
        let message = try await catalog.message(try call.id("id"), in: organization)
        let counts = try await decisions.counts(of: message.id, in: organization)
        await drain.catchUp()
        let activity = try await interactions.activity(of: message.id, in: organization)
        return .json { writer in
            writer.object { $0.report(of: message, counts, activity) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of message: StoredMessage) {
        member("id", message.id.description)
        member("name", message.content.name)
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

    fileprivate mutating func report(
        of message: StoredMessage, _ counts: [DecisionReason: Int], _ activity: MessageActivity
    ) {
        let tracked = counts.filter { $0.key.outcome == .tracked }.values.reduce(0, +)
        member("message", message.id.description)
        member("composed", counts.values.reduce(0, +))
        member("tracked", tracked)
        key("untracked")
        object { writer in
            for reason in DecisionReason.allCases where reason.outcome == .untracked {
                if let count = counts[reason], count > 0 { writer.member(reason.rawValue, count) }
            }
        }
        key("interactions")
        object { writer in
            for kind in InteractionKind.allCases {
                guard let counts = activity.kinds[kind] else { continue }
                writer.key(kind.rawValue)
                writer.object { writer in
                    writer.member("total", counts.total)
                    writer.member("unique", counts.unique)
                    writer.member("automated", counts.automated)
                    writer.member("suspected", counts.suspected)
                }
            }
        }
        key("links")
        array { writer in
            for link in message.links where link.isTracked {
                let counts = activity.links[link.index] ?? MessageActivity.LinkCounts()
                writer.object { writer in
                    writer.member("index", link.index.rawValue)
                    writer.member("url", link.target.text)
                    writer.member("where", link.location)
                    writer.member("label", link.label)
                    writer.member("clicks", counts.clicks)
                    writer.member("unique", counts.unique)
                }
            }
        }
    }
}
