import Identifiers
package import OpenIDConnect
import Organizations

/// The most that accounts of the OpenID provider may do: the roles that the present settings can give. A session that
/// was begun under other settings ends.
package struct ProviderGrants: Sendable {
    /// `nil` if there is no provider.
    private let issuer: SecureURL?
    private let grants: Set<ConsoleGrant>

    /// - Parameter settings: `nil` if there is no provider.
    package init(_ settings: ProviderSettings?) {
        issuer = settings?.issuer
        grants = Set(settings?.roles.allRoles.compactMap { ConsoleGrant($0) } ?? [])
    }

    func include(_ account: ConsoleAccount) -> Bool {
        guard let issuer else { return false }
        return account.name.hasSuffix("@\(issuer)") && account.grants.isSubset(of: grants)
    }
}

extension ConsoleGrant {
    /// - Returns: `nil` if the organization's id is invalid.
    init?(_ role: MappedRole) {
        switch role {
        case .operator: self.init(.operator, in: nil)
        case .member(let role, let organization):
            guard let organization = try? OrganizationID(organization) else { return nil }
            self.init(ConsoleRole(role), in: organization)
        }
    }
}

extension ConsoleRole {
    fileprivate init(_ role: MappedRole.MemberRole) {
        switch role {
        case .marketer: self = .marketer
        case .auditor: self = .auditor
        case .manager: self = .manager
        }
    }
}
