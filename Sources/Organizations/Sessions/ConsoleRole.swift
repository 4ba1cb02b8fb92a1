package import Identifiers

/// What somebody does with the console.
package enum ConsoleRole: String, Hashable, Sendable, CaseIterable {
    /// Reads reports, and nothing that names a person.
    case marketer
    /// Reads everything, people included.
    case auditor
    /// Changes settings and keys of an organization, switches messages off, erases people.
    case manager
    /// Runs the service: organizations, signing keys, backups, nodes. May do everything that the others may.
    case `operator`

    /// The roles of a key with `scopes`; those that only programs need give none.
    package static func roles(of scopes: Set<Scope>) -> Set<ConsoleRole> {
        var roles: Set<ConsoleRole> = []
        if scopes.withIncluded.contains(.report) { roles.insert(.marketer) }
        if scopes.contains(.read) { roles.insert(.auditor) }
        if scopes.contains(.manage) { roles.insert(.manager) }
        return roles
    }
}

/// A role in one organization; that of the operator is in none.
package struct ConsoleGrant: Hashable, Sendable {
    package let role: ConsoleRole
    package let organization: OrganizationID?

    package init(_ role: ConsoleRole, in organization: OrganizationID?) {
        self.role = role
        self.organization = organization
    }
}

extension ConsoleGrant {
    /// `marketer@acme`, or `operator`.
    package var text: String { organization.map { "\(role.rawValue)@\($0)" } ?? role.rawValue }

    /// - Returns: `nil` for every other text. The operator has no organization, and every other role has one.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let role = parts.first.flatMap({ ConsoleRole(rawValue: String($0)) }) else { return nil }
        if role == .operator {
            guard parts.count == 1 else { return nil }
            self.init(role, in: nil)
        } else {
            guard parts.count == 2, let organization = try? OrganizationID(String(parts[1])) else { return nil }
            self.init(role, in: organization)
        }
    }
}
