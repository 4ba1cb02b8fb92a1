import Consent
import Formats
import Hummingbird
import Identifiers
import JSON
import Messages
import Organizations
import UseCases

/// Rewriting: one body for one recipient, for backends that personalise mails themselves.
struct RewriteRoutes {
    let organizations: any OrganizationDirectory
    let rewriter: Rewriter
    let requests: IdempotentRequests

    var routes: [Route] {
        [
            Route(
                .post, "/v1/orgs/{org}/rewrites", .scopes([.compose]), work: .ofMessage,
                maximumBodySize: Request.maximumBodySize, rewrite)
        ]
    }

    @Sendable private func rewrite(_ call: AuthenticatedRequest) async throws -> Response {
        if try call.request.bodyType == .jsonLines { return try await rewriteLines(call) }
        let body = try await call.repeatableJSONBytes(orLines: true)
        let organization = try await organizations.known(try call.organization)
        return try await requests.answer(call, body: body) { fingerprint in
            let (request, message, known) = try await read(body, call, organization)
            return answer(
                try await rewriter.rewrite(request.mail, of: message, in: organization, fingerprint: fingerprint, known)
            )
        } replay: { effect in
            let (request, message, known) = try await read(body, call, organization)
            return answer(try await rewriter.replay(request.mail, of: message, in: organization, effect, known))
        }
    }

    /// The first line is the order, every other line a mail. If the order is invalid, the whole request is refused;
    /// after that, each line is answered with a line.
    private func rewriteLines(_ call: AuthenticatedRequest) async throws -> Response {
        try call.permit?.enlarge()
        let body = ArrivingBody(call)
        var splitter = LineSplitter(limit: Request.maximumBodySize)
        let first = try await body.firstLine(&splitter)
        let organization = try await organizations.known(try call.organization)
        let (order, message, known) = try await read(first, call, organization, as: RewriteOrder.self)
        let lines = RewriteLines(
            message: message, links: known,
            bodies: OrderBodies(order.bodies, under: rewriter.catalog.rules(for: organization)),
            organization: organization.id, organizations: organizations,
            rewriter: rewriter, validity: call.validity, logger: call.context.logger, channel: call.context.channel)
        return .lines { [splitter] writer in try await lines.pipeline.run(body, splitter, to: &writer) }
    }

    private func read(
        _ body: [UInt8], _ call: AuthenticatedRequest, _ organization: Organization
    ) async throws -> (RewriteRequest, StoredMessage, KnownLinks) {
        try await read(try JSONValue.parse(body), call, organization, as: RewriteRequest.self)
    }

    /// Reads a request that names a message, and before it the message: where a mail's links may lead depends on the
    /// links of the message.
    private func read<Naming: MessageNaming>(
        _ document: JSONValue, _ call: AuthenticatedRequest, _ organization: Organization, as _: Naming.Type
    ) async throws -> (Naming, StoredMessage, KnownLinks) {
        let catalog = rewriter.catalog
        var found: StoredMessage?
        if let id = Naming.messageID(in: document) {
            try await call.enlarge(toRead: id, withAddedLinks: true, from: catalog)
            found = try await catalog.find(id, in: organization.id)
        }
        let targets = MailTargets(rules: catalog.rules(for: organization), known: found.map(KnownLinks.init))
        let naming = try Naming.shape(targets).read(document)
        if let found, let known = targets.known { return (naming, found, known) }
        throw BodyProblems.unknownMessage(at: .root.appending(Naming.memberOfMessage))
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
    /// The mail itself, and what its sender may need to know about its recipient.
    mutating func bodies(of rewritten: Rewriter.Rewritten) {
        for body in rewritten.bodies {
            key(body.part.rawValue)
            body.write(to: &self)
        }
        member("trackingId", rewritten.trackingID)
        if let url = rewritten.preferencesURL { member("preferencesUrl", url) }
    }
}
