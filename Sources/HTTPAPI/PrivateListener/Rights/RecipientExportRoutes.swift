import Consent
import Hummingbird
import Identifiers
import Interactions
import JSON
import NIOCore
import Organizations
import Redirect
import StoragePorts
import UseCases

/// Everything that is held about a recipient, to answer a request for access (GDPR, article 15).
struct RecipientExportRoutes {
    let organizations: any OrganizationDirectory
    let consent: any ConsentArchive
    let requests: any ConsentRequestStore
    let decisions: any DecisionArchive
    let interactions: LinkedInteractions
    let drain: Drain
    let accesses: any AccessLog
    let recording: AccessRecording
    let now: @Sendable () -> Timestamp

    var routes: [Route] {
        [Route(.post, "/v1/orgs/{org}/recipients/export", .scopes([.read]), act: .recipientExported, export)]
    }

    @Sendable private func export(_ call: AuthenticatedRequest) async throws -> Response {
        let asked = try await call.json(as: .recipientAlone)
        let recipient = try await consent.firstName(of: asked, in: try call.organization) ?? asked
        await drain.catchUp()
        let look = try await recording.record(.export, of: recipient, call)
        // After the body and the clicks that are on their way, because the export states the settings.
        let organization = try await organizations.known(try call.organization)
        let records = RecipientRecords(
            recipient: recipient, organization: organization, madeAt: now(), consent: consent, requests: requests,
            decisions: decisions, interactions: interactions, accesses: accesses, validity: call.validity,
            look: look)
        // Read before the answer begins: if the store cannot be asked, the answer is a problem document.
        let first = try await records.consents(after: nil)
        let type = call.request.accept.choice(among: .json, .jsonLD)
        return .streamed(type) { [logger = call.context.logger] body in
            do {
                if type == .json {
                    try await RecipientExport(records: records, firstConsents: first).write(to: &body)
                } else {
                    try await ConsentHistoryJSONLD(records: records, firstConsents: first).write(to: &body)
                }
            } catch let failure as UnreadableNotice {
                // The answer has begun, so it is cut off, and only the log can say why.
                logger.report(failure, answeredWith: Problem(describing: failure))
                throw failure
            }
        }
    }
}

/// The records about a recipient, part by part: their size is not known ahead.
struct RecipientRecords: Sendable {
    private static let itemsAtOnce = 1000
    /// Requests are read with the texts of their notices.
    private static let requestsAtOnce = 100

    let recipient: RecipientID
    let organization: Organization
    let madeAt: Timestamp
    let consent: any ConsentArchive
    let requests: any ConsentRequestStore
    let decisions: any DecisionArchive
    let interactions: LinkedInteractions
    let accesses: any AccessLog
    let validity: CallerValidity
    /// The recorded look under which the records are shown; `nil` where looks are not recorded.
    let look: RecordedAccess?

    /// The records after `last`; empty if there are none.
    func consents(after last: ConsentRecord?) async throws -> [ConsentRecord] {
        if last != nil { try await validity.check() }
        return try await look.showing(
            consent.history(of: recipient, after: last, limit: Self.itemsAtOnce, in: organization.id))
    }

    func consentRequests(after last: ConsentRequest?) async throws -> [ConsentRequest] {
        if last != nil { try await validity.check() }
        return try await look.showing(
            requests.requests(about: recipient, after: last?.id, limit: Self.requestsAtOnce, in: organization.id))
    }

    func decisions(after last: DecisionEntry?) async throws -> [DecisionEntry] {
        if last != nil { try await validity.check() }
        let query = DecisionQuery(recipient: recipient, after: last?.id)
        return try await look.showing(
            decisions.decisions(matching: query, limit: Self.itemsAtOnce, in: organization.id))
    }

    func interactions(after last: LinkedInteraction?) async throws -> [LinkedInteraction] {
        if last != nil { try await validity.check() }
        let query = InteractionQuery(recipient: recipient, after: last.map { .position($0.interaction.position) })
        return try await look.showing(
            interactions.matching(query, limit: Self.itemsAtOnce, in: organization.id))
    }

    /// The accesses, newest first.
    func accesses(after last: AccessEntry?) async throws -> [AccessEntry] {
        if last != nil { try await validity.check() }
        let query = AccessQuery(recipient: recipient, before: last?.id)
        return try await accesses.accesses(matching: query, limit: Self.itemsAtOnce, in: organization.id)
    }
}
