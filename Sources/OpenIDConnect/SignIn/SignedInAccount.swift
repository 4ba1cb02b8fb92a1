/// An account of the provider that has signed in and has at least one role.
package struct SignedInAccount: Equatable, Sendable {
    package let identity: ProviderSubject
    package let roles: Set<MappedRole>
    /// The time when the account authenticated at the provider, if the token has it. It always has it after a request
    /// for a fresh sign-in.
    package let authenticatedAt: UnixTime?

    init(_ claims: IDTokenClaims, _ settings: ProviderSettings) throws(SignInFailure) {
        identity = ProviderSubject(issuer: settings.issuer, subject: claims.subject)
        guard let values = settings.rolesClaim.values(in: claims.all) else { throw .unreadableRoles(identity) }
        let roles = settings.roles.roles(of: values)
        guard !roles.isEmpty else { throw .noRole(identity) }
        self.roles = roles
        authenticatedAt = claims.authenticatedAt
    }
}
