package import Identifiers

/// The role of a user of the console.
package enum ConsoleRole: String, Hashable, Sendable, CaseIterable {
    /// Reads reports, but nothing that names a recipient.
    case marketer
    /// Reads everything, including data about recipients.
    case auditor
    /// Changes settings and keys of an organization, disables messages, erases recipients.
    case manager
    /// Runs the service: organizations, signing keys, backups, nodes. Has all permissions of the other roles.
    case `operator`

    /// The roles of a key with `scopes`. Scopes that only programs need give no role.
    package static func roles(of scopes: Set<Scope>) -> Set<ConsoleRole> {
        var roles: Set<ConsoleRole> = []
        if scopes.withIncluded.contains(.report) { roles.insert(.marketer) }
        if scopes.contains(.read) { roles.insert(.auditor) }
        if scopes.contains(.manage) { roles.insert(.manager) }
        return roles
    }
}

/// A role in one organization; the operator's role has no organization.
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

    /// - Returns: `nil` for any other text. The operator must have no organization, and every other role must have one.
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
