import Consent
import Cryptography
import Hummingbird
import Identifiers
import JSON
import Messages
import Organizations
import Redirect

/// Organizations and their settings.
struct OrganizationRoutes {
    let organizations: any OrganizationStore
    let gates: OrganizationGates
    let now: @Sendable () -> Timestamp

    var routes: [Route] {
        [
            Route(.post, "/v1/orgs", .operatorAlone, create),
            Route(.get, "/v1/orgs/{org}", .scopes([.manage]), read),
            Route(.patch, "/v1/orgs/{org}", .scopes([.manage]), change),
        ]
    }

    @Sendable private func create(_ call: Call) async throws -> Response {
        let organization = try await call.request.json(as: .newOrganization)
        var generator = SecureRandom()
        let credential = Credential(using: &generator)
        let key = NewAccessKey(
            digest: credential.digest, name: "first key", scopes: Set(Scope.allCases))
        guard let stored = try await organizations.create(organization, firstKey: key, at: now()) else {
            throw Problem(.conflict, "There is an organization with this id already.")
        }
        gates.gate(of: organization.id).honorsGPC = organization.honorsGPC
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

    @Sendable private func read(_ call: Call) async throws -> Response {
        try answer(try await organizations.organization(try call.organization))
    }

    @Sendable private func change(_ call: Call) async throws -> Response {
        let change = try await call.request.json(as: .organizationChange)
        let changed = try await organizations.change(try call.organization, by: change, at: now())
        if let changed { gates.gate(of: changed.id).honorsGPC = changed.honorsGPC }
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
        key("retention")
        object { writer in
            writer.member("interactionsDays", organization.retention.interactionsDays)
            writer.member("decisionsDays", organization.retention.decisionsDays)
        }
    }
}

extension JSONShape where Value == Organization {
    fileprivate static var newOrganization: JSONShape {
        .object { fields throws(BodyProblems) in
            let id = fields.required("id", .string(OrganizationID.init))
            let name = fields.optional("name", .organizationName)
            let enforcement = fields.required("enforcement", JSONShape<Enforcement>.choice)
            let targetHosts = fields.optional("targetHosts", .targetHosts, default: [])
            let honorsGPC = fields.optional("honorGPC", .bool, default: true)
            try fields.finish()
            let validID = try id.get()
            return Organization(
                id: validID, name: name ?? validID.description, enforcement: try enforcement.get(),
                targetHosts: targetHosts, honorsGPC: honorsGPC)
        }
    }
}

extension JSONShape where Value == OrganizationChange {
    fileprivate static var organizationChange: JSONShape {
        .object { fields throws(BodyProblems) in
            let change = OrganizationChange(
                name: fields.optional("name", .organizationName),
                enforcement: fields.optional("enforcement", JSONShape<Enforcement>.choice),
                targetHosts: fields.optional("targetHosts", .targetHosts),
                honorsGPC: fields.optional("honorGPC", .bool), retention: fields.optional("retention", .retention))
            try fields.finish()
            return change
        }
    }
}

extension JSONShape where Value == Retention {
    /// Both at once: what is not said is kept for ever, so that nobody has to know what was set before.
    fileprivate static var retention: JSONShape {
        .object { fields throws(BodyProblems) in
            let retention = Retention(
                interactionsDays: fields.optional("interactionsDays", .integer(in: Retention.allowedDays)),
                decisionsDays: fields.optional("decisionsDays", .integer(in: Retention.allowedDays)))
            try fields.finish()
            return retention
        }
    }
}

extension JSONShape where Value == String {
    fileprivate static var organizationName: JSONShape {
        .text(length: 1...Organization.maximumNameLength, allowing: .oneLine)
    }
}

extension JSONShape where Value == [TargetHostPattern] {
    fileprivate static var targetHosts: JSONShape { .array(of: .string(TargetHostPattern.init), count: 0...1000) }
}
