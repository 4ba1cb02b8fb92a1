import Consent
import Hummingbird
import Identifiers
import JSON
import Messages
import Organizations

/// Rewriting: one body for one recipient, for backends that personalise themselves.
struct RewriteRoutes {
    let organizations: any OrganizationStore
    let rewriter: Rewriter
    let requests: RepeatableRequests

    var routes: [Route] {
        [Route(.post, "/v1/orgs/{org}/rewrites", .scopes([.compose]), rewrite)]
    }

    @Sendable private func rewrite(_ call: Call) async throws -> Response {
        guard let organization = try await organizations.organization(try call.organization) else {
            throw Problem.notFound
        }
        let body = try await call.request.jsonBytes()
        return try await requests.answer(call, body: body) { mark in
            let (request, message) = try await read(body, in: organization)
            return answer(
                try await rewriter.rewrite(
                    request.bodies, of: message, for: request.recipient, in: organization, once: mark))
        } again: { effect in
            let (request, message) = try await read(body, in: organization)
            return answer(try await rewriter.rewriteAgain(request.bodies, of: message, in: organization, effect))
        }
    }

    private func read(
        _ body: [UInt8], in organization: Organization
    ) async throws -> (RewriteRequest, StoredMessage) {
        let shape = RewriteRequest.shape(rules: rewriter.keeper.rules(for: organization))
        let request = try shape.read(try JSONValue.parse(body))
        let message = try await rewriter.keeper.message(
            request.message, in: organization.id, namedAt: .root.appending("messageId"))
        return (request, message)
    }

    private func answer(_ rewritten: Rewriter.Rewritten) -> Response {
        .json { writer in
            writer.object { $0.members(of: rewritten) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of rewritten: Rewriter.Rewritten) {
        member("tracked", rewritten.decision.permit != .untracked)
        decision(rewritten.decision)
        for body in rewritten.bodies { member(body.place.rawValue, String(decoding: body.bytes, as: UTF8.self)) }
        key("links")
        array { writer in
            for (link, index) in rewritten.links {
                writer.object { writer in
                    writer.place(of: link)
                    writer.member("label", link.label)
                    writer.member("index", index?.rawValue)
                    writer.member("skipped", link.reason?.name)
                    writer.member("detail", link.reason?.description)
                }
            }
        }
    }
}
