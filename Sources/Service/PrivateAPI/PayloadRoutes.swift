import Consent
import Formats
import Hummingbird
import Identifiers
import JSON
import Messages
import Organizations

/// Composing: a message, a format and recipients in, a payload for each of them out.
struct PayloadRoutes {
    let organizations: any OrganizationStore
    let keeper: MessageKeeper
    let composer: Composer

    var routes: [Route] {
        [Route(.post, "/v1/orgs/{org}/payloads", .scopes([.compose]), compose)]
    }

    @Sendable private func compose(_ call: Call) async throws -> Response {
        guard let organization = try await organizations.organization(try call.organization) else {
            throw Problem.notFound
        }
        let request = try await call.request.json(as: PayloadRequest.shape(message: keeper.shape(for: organization)))
        let (message, compiled) = try await prepare(request, in: organization)
        let composed = try await composer.compose(message, as: compiled, for: request.recipients, in: organization)
        return .json { writer in
            writer.object { writer in
                writer.member("message", message.id.description)
                writer.key("notCarried")
                writer.array { writer in
                    for member in compiled.notCarried { writer.string(member) }
                }
                writer.key("payloads")
                writer.array { writer in
                    for item in composed { writer.payload(item) }
                }
            }
        }
    }

    /// The message and what the format makes of it. A message that the format refuses is not stored.
    private func prepare(
        _ request: PayloadRequest, in organization: Organization
    ) async throws -> (StoredMessage, CompiledMessage) {
        switch request.message {
        case .inline(let content):
            let compiled = try compile(content, request)
            return (try await keeper.save(content, in: organization.id).message, compiled)
        case .stored(let id):
            guard let message = try await keeper.messages.message(id, in: organization.id) else {
                throw BodyProblems(request.pointer, "is not a message of this organization")
            }
            return (message, try compile(message.content, request))
        }
    }

    private func compile(_ content: Message, _ request: PayloadRequest) throws -> CompiledMessage {
        try CompiledMessage(content, format: request.format, origin: keeper.publicOrigin, at: request.pointer)
    }
}

extension JSONWriter {
    fileprivate mutating func payload(_ item: Composer.Composed) {
        object { writer in
            writer.member("recipient", item.recipient.text)
            writer.member("tracked", item.decision.reason.outcome == .tracked)
            writer.key("decision")
            writer.object { writer in
                writer.member("id", item.decision.id.description)
                writer.member("outcome", item.decision.reason.outcome.rawValue)
                writer.member("reason", item.decision.reason.rawValue)
            }
            writer.key("payload")
            writer.raw(item.payload)
        }
    }
}
