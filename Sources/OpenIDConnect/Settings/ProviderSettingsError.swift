/// Why settings of the sign-in are refused. The description is for the operator, and repeats no secret.
package enum ProviderSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    case issuer
    case clientID
    case clientSecret
    case redirectURI
    case scopes
    case rolesClaim
    case noRoles
    case tooManyRoles
    /// The number of the entry in the list, from 1.
    case role(entry: Int, RoleMappingFault)

    package var description: String {
        switch self {
        case .issuer:
            "the issuer must be a URL of https (http at 127.0.0.1, [::1] or localhost), without a query or a fragment"
        case .clientID: "the client id must be 1 to \(ProviderSettings.maximumClientIDLength) visible ASCII characters"
        case .clientSecret:
            "the client secret must be 1 to \(ProviderSettings.maximumSecretLength) visible ASCII characters, in one line"
        case .redirectURI:
            "the redirect URI must be a URL of https (http at 127.0.0.1, [::1] or localhost), without a fragment"
        case .scopes:
            "the scopes must have openid among them, each once, and be at most \(ProviderSettings.maximumScopeCount)"
        case .rolesClaim:
            "the roles claim must be a name, or names with dots between them, at most \(RolesClaim.maximumDepth) deep"
        case .noRoles: "no role is mapped, so no account could sign in"
        case .tooManyRoles: "at most \(RoleMapping.maximumEntryCount) roles can be mapped"
        case .role(let entry, let fault): "role \(entry): \(fault)"
        }
    }
}

/// The fault of one entry in the list of roles.
package enum RoleMappingFault: Hashable, Sendable, CustomStringConvertible {
    case form
    case value
    case role
    case organizationMissing
    case organizationNotAllowed
    case organization
    case duplicate

    package var description: String {
        switch self {
        case .form: "must be value=role or value=role@organization"
        case .value: "the value must be 1 to \(RoleMapping.maximumValueLength) bytes without control characters"
        case .role: "the role must be marketer, auditor, manager or operator"
        case .organizationMissing: "this role needs an organization: value=role@organization"
        case .organizationNotAllowed: "the operator is not of one organization"
        case .organization: "an organization's id is 1 to 64 of A-Z a-z 0-9 . _ -, and not of dots alone"
        case .duplicate: "is there twice"
        }
    }
}
