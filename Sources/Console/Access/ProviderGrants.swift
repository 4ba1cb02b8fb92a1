import Identifiers
package import OpenIDConnect
import Organizations

/// What accounts of the OpenID provider may do at most: the roles that the present settings can give. A session that was
/// begun under other settings ends.
package struct ProviderGrants: Sendable {
    /// `nil` where nobody signs in through a provider.
    private let issuer: SecureURL?
    private let grants: Set<ConsoleGrant>

    /// - Parameter settings: `nil` where nobody signs in through a provider.
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
    /// - Returns: `nil` where the organization's id cannot be one.
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
