import Consent
import Hummingbird
import Identifiers
import JSON
import Messages
import Organizations
import UseCases

/// Rewriting: one body for one recipient, for backends that personalise themselves.
struct RewriteRoutes {
    let organizations: any OrganizationDirectory
    let rewriter: Rewriter
    let requests: IdempotentRequests

    var routes: [Route] {
        [
            Route(
                .post, "/v1/orgs/{org}/rewrites", .scopes([.compose]), maximumBodySize: Request.maximumBodySize, rewrite
            )
        ]
    }

    @Sendable private func rewrite(_ call: AuthenticatedRequest) async throws -> Response {
        guard let organization = try await organizations.organization(try call.organization) else {
            throw Problem.notFound
        }
        if try call.request.bodyType == .jsonLines { return try await rewriteLines(call, organization) }
        let body = try await call.repeatableJSONBytes()
        return try await requests.answer(call, body: body) { mark in
            let (request, message) = try await read(body, in: organization)
            return answer(
                try await rewriter.rewrite(request.mail, of: message, in: organization, once: mark))
        } replay: { effect in
            let (request, message) = try await read(body, in: organization)
            return answer(try await rewriter.replay(request.mail, of: message, in: organization, effect))
        }
    }

    /// The first line is the order, every other a mail. What is wrong with the order is the answer of its own; from then
    /// on a line is answered with a line.
    private func rewriteLines(_ call: AuthenticatedRequest, _ organization: Organization) async throws -> Response {
        let body = ArrivingBody(call)
        var splitter = LineSplitter(limit: Request.maximumBodySize)
        let order = try RewriteOrder.shape(rules: rewriter.catalog.rules(for: organization))
            .read(try await body.firstLine(&splitter))
        let message = try await rewriter.catalog.message(
            order.message, in: organization.id, namedAt: .root.appending("messageId"))
        let lines = RewriteLines(
            message: message, bodies: order.bodies, organization: organization.id, organizations: organizations,
            rewriter: rewriter, access: call.access, logger: call.context.logger, channel: call.context.channel)
        return .lines { [splitter] writer in try await lines.exchange.run(body, splitter, to: &writer) }
    }

    private func read(
        _ body: [UInt8], in organization: Organization
    ) async throws -> (RewriteRequest, StoredMessage) {
        let shape = RewriteRequest.shape(rules: rewriter.catalog.rules(for: organization))
        let request = try shape.read(try JSONValue.parse(body))
        let message = try await rewriter.catalog.message(
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
        member("tracked", rewritten.decisions.permit != .untracked)
        decisions(rewritten.decisions, ended: rewritten.ended)
        bodies(of: rewritten)
        key("links")
        array { writer in
            for found in rewritten.links {
                writer.object { writer in
                    writer.location(of: found.link)
                    writer.member("label", found.link.label)
                    writer.member("index", found.index?.rawValue)
                    writer.member("skipped", found.skipped?.name)
                    writer.member("detail", found.skipped?.description)
                }
            }
        }
    }
}

extension JSONWriter {
    /// The mail itself, and what its sender may need to know of its recipient.
    mutating func bodies(of rewritten: Rewriter.Rewritten) {
        for body in rewritten.bodies { member(body.part.rawValue, utf8: body.bytes) }
        member("trackingId", rewritten.trackingID)
        if let url = rewritten.preferencesURL { member("preferencesUrl", url) }
    }
}
