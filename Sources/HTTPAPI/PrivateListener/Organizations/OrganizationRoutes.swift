import Consent
import Hummingbird
import Identifiers
import JSON
import Messages
import Organizations
import Redirect
import UseCases

/// Organizations and their settings.
struct OrganizationRoutes {
    let organizations: any OrganizationStore
    let quotas: QuotaEnforcer
    let creator: OrganizationCreator
    /// The shortest pause after a no and after silence that an organization may choose.
    let minimumPauseInDays: Int
    let now: @Sendable () -> Timestamp

    /// In bytes: the largest allowed number of target hosts, each of the greatest length, takes a quarter of a
    /// megabyte.
    private static let maximumBodySize = 512 << 10

    var routes: [Route] {
        [
            Route(.get, "/v1/orgs", .operatorAlone, readsQuery: true, list),
            Route(
                .post, "/v1/orgs", .operatorAlone, act: .organizationCreated, maximumBodySize: Self.maximumBodySize,
                create),
            Route(.get, "/v1/orgs/{org}", .scopes([.manage]), read),
            Route(
                .patch, "/v1/orgs/{org}", .scopes([.manage]), act: .organizationChanged,
                maximumBodySize: Self.maximumBodySize, change),
        ]
    }

    @Sendable private func list(_ call: AuthenticatedRequest) async throws -> Response {
        var query = try QueryReader(call.request)
        let after = try query.take("after", ListCursor.organizations.read)
        let limit = try query.takeLimit()
        try query.finish()
        guard let page = try await organizations.organizations(after: after, limit: limit.count) else {
            throw Problem.foreignCursor(in: call.request)
        }
        let next = page.next.map { ListCursor.organizations.text(after: $0) }
        return .page("organizations", page.organizations, next: next) { $1.members(of: $0) }
    }

    @Sendable private func create(_ call: AuthenticatedRequest) async throws -> Response {
        let organization = try await call.json(as: .newOrganization(minimumPauseInDays: minimumPauseInDays))
        call.details.add("organization", organization.id)
        call.details.add("enforcement", organization.enforcement.rawValue)
        call.details.add("identifiers", organization.identifiers.rawValue)
        let (stored, credential) = try await make(organization)
        return .json(.created) { writer in
            writer.object { writer in
                writer.members(of: organization)
                writer.key("key")
                writer.object { writer in
                    writer.member("id", stored.id.description)
                    writer.member("key", credential.text)
                    writer.scopes(stored.scopes)
                }
            }
        }
    }

    private func make(_ organization: Organization) async throws -> (key: APIKey, secret: Credential) {
        do {
            return try await creator.make(organization, at: now())
        } catch OrganizationCreator.Refusal.taken {
            throw Problem(.conflict, "There is an organization with this id already.")
        } catch OrganizationCreator.Refusal.formerLedger {
            let id = organization.id
            throw Problem(
                .conflict,
                """
                There is a checkpoint of an earlier ledger of this name: checkpoints/\(id).txt in the data folder. Choose \
                another id, or restore the database that belongs to it.
                """)
        }
    }

    @Sendable private func read(_ call: AuthenticatedRequest) async throws -> Response {
        try answer(try await organizations.organization(try call.organization))
    }

    @Sendable private func change(_ call: AuthenticatedRequest) async throws -> Response {
        let change = try await call.json(as: .organizationChange(minimumPauseInDays: minimumPauseInDays))
        if change.quotas != nil, case .key = call.principal {
            throw Problem(.forbidden, "Only the operator may set quotas.")
        }
        call.details.add("fields", change.fields.joined(separator: ","))
        if let enforcement = change.enforcement { call.details.add("enforcement", enforcement.rawValue) }
        let changed = try await organizations.change(try call.organization, by: change, at: now())
        if let changed, change.quotas != nil { await quotas.refresh(changed.id) }
        return try answer(changed)
    }

    private func answer(_ organization: Organization?) throws -> Response {
        guard let organization else { throw Problem.notFound }
        return .json { writer in
            writer.object { $0.members(of: organization) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of organization: Organization) {
        member("id", organization.id.description)
        member("name", organization.name)
        member("enforcement", organization.enforcement.rawValue)
        key("targetHosts")
        array { writer in
            for host in organization.targetHosts { writer.string(host.description) }
        }
        member("honorGPC", organization.honorsGPC)
        member("identifiers", organization.identifiers.rawValue)
        key("retention")
        object { writer in
            writer.member("interactionsDays", organization.retention.interactions)
            writer.member("decisionsDays", organization.retention.decisions)
        }
        key("quotas")
        object { writer in
            writer.member("requestsPerMinute", organization.quotas.requestsPerMinute)
            writer.member("interactions", organization.quotas.interactions)
        }
        member("requireEvidence", organization.requiresEvidence)
        member("consentUrl", organization.consentPage?.text)
        member("askAgainAfterDays", organization.askAgainAfterDays)
        member("recordAccess", organization.recordsAccess)
    }
}

extension OrganizationChange {
    /// The names of the API's members that set this change.
    fileprivate var fields: [String] {
        let all: [(String, Bool)] = [
            ("name", name != nil), ("enforcement", enforcement != nil), ("targetHosts", targetHosts != nil),
            ("honorGPC", honorsGPC != nil), ("retention", retention != nil), ("quotas", quotas != nil),
            ("requireEvidence", requiresEvidence != nil), ("consentUrl", consentPage != nil),
            ("askAgainAfterDays", askAgainAfterDays != nil), ("recordAccess", recordsAccess != nil),
        ]
        return all.filter(\.1).map(\.0)
    }
}

extension JSONShape where Value == Organization {
    fileprivate static func newOrganization(minimumPauseInDays: Int) -> JSONShape {
        .object { fields throws(BodyProblems) in
            let id = fields.required("id", .string(OrganizationID.init))
            let name = fields.optional("name", .organizationName)
            let enforcement = fields.required("enforcement", JSONShape<Enforcement>.choice)
            let targetHosts = fields.optional("targetHosts", .targetHosts, default: [])
            let honorsGPC = fields.optional("honorGPC", .bool, default: true)
            let identifiers = fields.optional("identifiers", JSONShape<RecipientComparison>.choice, default: .email)
            let retention = fields.optional("retention", .retention, default: RetentionChange())
            let quotas = fields.optional("quotas", .quotas, default: .unlimited)
            let requiresEvidence = fields.optional("requireEvidence", .bool, default: false)
            let consentPage = fields.optional("consentUrl", .string(ConsentPageURL.init))
            let askAgainAfterDays = fields.optional(
                "askAgainAfterDays", .askAgainAfterDays(minimumPauseInDays), default: AskingPause.standardDays)
            let recordsAccess = fields.optional("recordAccess", .bool, default: false)
            try fields.finish()
            let validID = try id.get()
            return Organization(
                id: validID, name: name ?? validID.description, enforcement: try enforcement.get(),
                targetHosts: targetHosts, honorsGPC: honorsGPC, identifiers: identifiers,
                retention: retention.applied(to: .standard), quotas: quotas, requiresEvidence: requiresEvidence,
                consentPage: consentPage, askAgainAfterDays: askAgainAfterDays, recordsAccess: recordsAccess)
        }
    }
}

extension JSONShape where Value == OrganizationChange {
    fileprivate static func organizationChange(minimumPauseInDays: Int) -> JSONShape {
        .object { fields throws(BodyProblems) in
            _ = fields.optional("identifiers", .chosenAtCreation)
            let change = OrganizationChange(
                name: fields.optional("name", .organizationName),
                enforcement: fields.optional("enforcement", JSONShape<Enforcement>.choice),
                targetHosts: fields.optional("targetHosts", .targetHosts),
                honorsGPC: fields.optional("honorGPC", .bool), retention: fields.optional("retention", .retention),
                quotas: fields.optional("quotas", .quotas),
                requiresEvidence: fields.optional("requireEvidence", .bool),
                consentPage: fields.optional("consentUrl", .consentPageChange),
                askAgainAfterDays: fields.optional("askAgainAfterDays", .askAgainAfterDays(minimumPauseInDays)),
                recordsAccess: fields.optional("recordAccess", .bool))
            try fields.finish()
            return change
        }
    }
}

extension JSONShape where Value == ConsentPageChange {
    /// The empty string removes it: `null` is the same as an absent member.
    fileprivate static var consentPageChange: JSONShape {
        .string { text throws(ConsentPageURLError) in text.isEmpty ? .removed : .set(try ConsentPageURL(text)) }
    }
}

extension JSONShape where Value == RecipientComparison {
    /// Refuses every value.
    fileprivate static var chosenAtCreation: JSONShape {
        JSONShape { _, pointer throws(BodyProblems) in
            throw BodyProblems(
                pointer, "is chosen when the organization is made: consent is recorded under one comparison for good")
        }
    }
}

extension JSONShape where Value == Quotas {
    /// Sets both at once: an absent member means no limit.
    fileprivate static var quotas: JSONShape {
        .object { fields throws(BodyProblems) in
            let quotas = Quotas(
                requestsPerMinute: fields.optional("requestsPerMinute", .integer(in: Quotas.allowed)),
                interactions: fields.optional("interactions", .integer(in: Quotas.allowed)))
            try fields.finish()
            return quotas
        }
    }
}

extension JSONShape where Value == Int {
    fileprivate static func askAgainAfterDays(_ least: Int) -> JSONShape {
        .integer(in: least...AskingPause.allowedDays.upperBound)
    }
}

extension JSONShape where Value == String {
    fileprivate static var organizationName: JSONShape {
        JSONShape.text(length: 1...Organization.maximumNameLength, allowing: .oneLine).notBlank
    }
}

extension JSONShape where Value == [TargetHostPattern] {
    fileprivate static var targetHosts: JSONShape { .array(of: .string(TargetHostPattern.init), count: 0...1000) }
}
