import Consent
import Formats
import HTTPTypes
import Hummingbird
import Identifiers
import JSON
import Messages
import NIOCore
import Organizations
import StoragePorts
import UseCases

/// Composing: the request has a message, a format and recipients; the answer has a payload for each recipient.
struct PayloadRoutes {
    let organizations: any OrganizationDirectory
    let catalog: MessageCatalog
    let archive: any MessageArchive
    let composer: Composer
    let decisions: any DecisionArchive
    let requests: IdempotentRequests

    var routes: [Route] {
        [
            Route(
                .post, "/v1/orgs/{org}/payloads", .scopes([.compose]), work: .ofMessage,
                maximumBodySize: Request.maximumBodySize, compose)
        ]
    }

    @Sendable private func compose(_ call: AuthenticatedRequest) async throws -> Response {
        if try call.request.bodyType == .jsonLines { return try await composeLines(call) }
        let body = try await call.repeatableJSONBytes(orLines: true)
        let organization = try await organizations.known(try call.organization)
        // The body says whether it is a preview, and has the recipients that a repeated request needs.
        let document = try JSONValue.parse(body)
        guard !PayloadOrder<Message>.isPreview(document) else { return try await preview(document, call, organization) }
        return try await requests.answer(call, body: body) { fingerprint in
            let request = try await read(document, in: organization)
            try await admit(call, request)
            let (message, compiled) = try await prepare(request.order, in: organization)
            let composed = try await composer.compose(
                message, as: compiled, for: request.recipients, in: organization, fingerprint: fingerprint)
            return try answer(composed, to: call)
        } replay: { effect in
            // The message was validated in the first request. The current rules must not apply to it.
            let request = try PayloadRequest.shape(message: JSONShape.any).read(document)
            guard let decision = try await decisions.decision(DecisionID(effect.first), in: organization.id)
            else { throw Problem.notFound }
            try await admit(call, request, about: decision.message)
            let message = try await catalog.messageWithoutAddedLinks(decision.message, in: organization.id)
            let compiled = try compile(message.content, request.order, in: organization.id)
            let composed = try await composer.replay(
                message, as: compiled, for: request.recipients, in: organization, effect)
            return try answer(composed, to: call)
        }
    }

    private func read(
        _ document: JSONValue, in organization: Organization
    ) async throws -> PayloadRequest<Message> {
        try await catalog.read(in: organization, archive) { shape throws(BodyProblems) in
            try PayloadRequest.shape(message: shape).read(document)
        } message: {
            $0.order.ownMessage
        }
    }

    /// Has no effect, so an `Idempotency-Key` of the request is neither looked up nor stored.
    private func preview(
        _ document: JSONValue, _ call: AuthenticatedRequest, _ organization: Organization
    ) async throws -> Response {
        let request = try await read(document, in: organization)
        try await admit(call, request)
        let (message, compiled) = try await look(at: request.order, in: organization)
        let previewed = try await composer.preview(message, as: compiled, for: request.recipients, in: organization)
        return try answer(previewed, to: call)
    }

    private func answer(_ composed: some PayloadBatch, to call: AuthenticatedRequest) throws -> Response {
        let answer = PayloadResponse(batch: composed, validity: call.validity)
        return call.request.accept.choice(among: .json, .jsonLines) == .json ? try answer.document() : answer.lines()
    }

    /// The first line is the order, every other line a recipient. If the order is invalid, the whole request is
    /// refused; after that, each line is answered with a line.
    private func composeLines(_ call: AuthenticatedRequest) async throws -> Response {
        try call.permit?.enlarge()
        let body = ArrivingBody(call)
        var splitter = LineSplitter(limit: Request.maximumBodySize)
        let first = try await body.firstLine(&splitter)
        let organization = try await organizations.known(try call.organization)
        let order = try await catalog.read(in: organization, archive) { shape throws(BodyProblems) in
            try PayloadOrder.shape(message: shape).read(first)
        } message: {
            $0.ownMessage
        }
        let purpose: PayloadLines.Purpose
        let compiled: CompiledMessage
        if order.isPreview {
            let (message, made) = try await look(at: order, in: organization)
            (purpose, compiled) = (.preview(message), made)
        } else {
            let (message, made) = try await prepare(order, in: organization)
            (purpose, compiled) = (.composing(message), made)
        }
        let lines = PayloadLines(
            purpose: purpose, compiled: compiled, organization: organization.id, organizations: organizations,
            composer: composer, validity: call.validity, logger: call.context.logger, channel: call.context.channel)
        splitter.limit = PayloadLines.maximumLength
        return .lines(headers: HTTPFields(sayingOf: purpose.message, compiled)) { [splitter] writer in
            try await lines.pipeline.run(body, splitter, to: &writer)
        }
    }

    /// Counts a request as large if the things that it names are. The size of its body is counted separately.
    ///
    /// - Parameter id: the id of the message; `nil` for the one in the request.
    /// - Throws: 503 if too many large requests are in progress. Nothing of a large message is read then.
    private func admit(
        _ call: AuthenticatedRequest, _ request: PayloadRequest<some Any>, about id: MessageID? = nil
    ) async throws {
        if request.recipients.count > Self.fewRecipients {
            try call.permit?.enlarge()
        } else if let id = id ?? request.order.storedMessage {
            try await call.enlarge(toRead: id, withAddedLinks: false, from: catalog)
        }
    }

    /// A request for at most this number of recipients does not count as large.
    private static let fewRecipients = 100

    /// The message, and the message compiled for the format. A message that the format refuses is not stored.
    private func prepare(
        _ order: PayloadOrder<Message>, in organization: Organization
    ) async throws -> (StoredMessage, CompiledMessage) {
        switch order.message {
        case .inline(let content):
            let compiled = try compile(content, order, in: organization.id)
            let saved = try await catalog.namingEnd(at: order.pointer) {
                try await catalog.save(content, in: organization.id)
            }
            return (saved.message, compiled)
        case .stored(let id):
            let message = try await catalog.messageWithoutAddedLinks(id, in: organization.id, namedAt: order.pointer)
            return (message, try compile(message.content, order, in: organization.id))
        }
    }

    /// Like ``prepare(_:in:)``, but stores nothing.
    private func look(
        at order: PayloadOrder<Message>, in organization: Organization
    ) async throws -> (PreviewedMessage, CompiledMessage) {
        let message: PreviewedMessage
        switch order.message {
        case .inline(let content):
            message = PreviewedMessage(content: content, id: try await archive.id(of: content, in: organization.id))
            if message.id == nil {
                try await catalog.namingEnd(at: order.pointer) { try catalog.requireStorable(content) }
            }
        case .stored(let id):
            let stored = try await catalog.messageWithoutAddedLinks(id, in: organization.id, namedAt: order.pointer)
            message = PreviewedMessage(content: stored.content, id: id)
        }
        return (message, try compile(message.content, order, in: organization.id))
    }

    private func compile(
        _ content: Message, _ order: PayloadOrder<some Any>, in organization: OrganizationID
    ) throws -> CompiledMessage {
        try order.namingProblems { pointer throws(BodyProblems) in
            try CompiledMessage(
                content, format: order.format, origin: catalog.publicOrigin, organization: organization, at: pointer)
        }
    }
}

extension HTTPFields {
    /// What a streamed answer states about all its payloads.
    init(sayingOf message: MessageID?, _ compiled: CompiledMessage) {
        self.init()
        if let message { self[.consentLinkMessage] = message.description }
        guard !compiled.unsupportedMembers.isEmpty else { return }
        let members = compiled.unsupportedMembers.joined(separator: ", ")
        self[.consentLinkUnsupportedMembers] = members
        self[.consentLinkNotCarried] = members
    }
}

extension HTTPField.Name {
    /// The message of the payloads in a streamed answer.
    fileprivate static var consentLinkMessage: HTTPField.Name { .known("ConsentLink-Message") }

    /// Members of the message for which the payloads of a streamed answer have no place: a list (RFC 9110, 5.6.1).
    /// Absent if there are none.
    fileprivate static var consentLinkUnsupportedMembers: HTTPField.Name { .known("ConsentLink-Unsupported-Members") }

    /// The former name of ``consentLinkUnsupportedMembers``.
    fileprivate static var consentLinkNotCarried: HTTPField.Name { .known("ConsentLink-Not-Carried") }
}
