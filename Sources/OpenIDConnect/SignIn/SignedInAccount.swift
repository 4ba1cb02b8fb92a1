import JSON

/// An account of the provider that has signed in and has at least one role.
package struct SignedInAccount: Equatable, Sendable {
    private static let maximumNameLength = 256

    package let identity: ProviderSubject
    /// For people to read, never to compare: another account may have the same name. At most 256 bytes in one line. It
    /// must be escaped for output.
    let displayName: String
    package let roles: Set<MappedRole>
    /// The time when the account authenticated at the provider, if the token has it. It always has it after a request
    /// for a fresh sign-in.
    package let authenticatedAt: UnixTime?

    init(_ claims: IDTokenClaims, _ settings: ProviderSettings) throws(SignInFailure) {
        identity = ProviderSubject(issuer: settings.issuer, subject: claims.subject)
        guard let values = settings.rolesClaim.values(in: claims.all) else { throw .unreadableRoles(identity) }
        let roles = settings.roles.roles(of: values)
        guard !roles.isEmpty else { throw .noRole(identity) }
        displayName = Self.name(settings.displayName, claims.all) ?? claims.subject
        self.roles = roles
        authenticatedAt = claims.authenticatedAt
    }

    /// - Returns: `nil` if the name cannot be shown unchanged, and for a mail address that is not verified.
    private static func name(_ claim: ProviderSettings.DisplayName, _ claims: JSONObject) -> String? {
        guard let name = claims.text(claim.rawValue), (1...maximumNameLength).contains(name.utf8.count),
            name.isPlainLine
        else { return nil }
        if claim == .email, claims["email_verified"] == .bool(false) { return nil }
        return name
    }
}
